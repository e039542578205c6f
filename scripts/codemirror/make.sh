#!/usr/bin/env bash
# Bundles CodeMirror into one file for the page, with the licences of its parts beside it. Needs npm.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
static=$here/../../ftk_cli/page/static
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT
cp "$here/entry.js" "$work"
cd "$work"
npm install --no-audit --no-fund --silent @codemirror/state@6.7.6 @codemirror/view@6.43.15 @codemirror/commands@6.11.1 \
  @codemirror/search@6.7.2 @codemirror/autocomplete@6.20.4 @codemirror/lint@6.9.8 @codemirror/language@6.13.1 \
  @codemirror/legacy-modes@6.5.5 @lezer/highlight@1.2.5 esbuild@0.28.2
node_modules/.bin/esbuild entry.js --bundle --minify --format=esm --target=es2022 --legal-comments=none \
  --outfile="$static/codemirror.js"
for part in node_modules/@codemirror/* node_modules/@lezer/* node_modules/@marijn/* node_modules/crelt \
  node_modules/style-mod node_modules/w3c-keyname; do
  printf '%s\n\n' "${part#node_modules/}"
  cat "$part"/LICENSE*
  echo
done > "$static/codemirror.LICENSE.txt"
