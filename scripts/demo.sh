#!/usr/bin/env bash
# The demo: what is checked, a change that breaks three languages, the end of a game, a balance table.
# It prints about forty lines. The whole output of every command goes to build/demo.log.
set -euo pipefail
cd "$(dirname "$0")/.."
ftk=$PWD/.venv/bin/ftk
log=$PWD/build/demo.log
mkdir -p build
: > "$log"

say() { printf '\n== %s\n' "$*" | tee -a "$log"; }
run() { printf '$ ftk %s\n' "$*" | tee -a "$log"; "$ftk" "$@" >> "$log" 2>&1; }      # the output goes to the log only
show() { printf '$ ftk %s\n' "$*" | tee -a "$log"; "$ftk" "$@" 2>&1 | tee -a "$log"; } # the output goes to both

say "All specs, texts, glossaries and scenarios are checked"
show check
run test
grep ' scenarios in ' "$log"

say "One changed number in the spec breaks three languages"
project=$(mktemp -d)
trap 'rm -rf "$project"' EXIT
cp -r specs "$project"
cd "$project"
sed -i.bak 's/esteem:    {per: office, type: 1..6, start: 3/esteem:    {per: office, type: 1..6, start: 4/' specs/fortheking.yaml
echo "\$ sed -i 's/start: 3/start: 4/' specs/fortheking.yaml      # every duty starts at 4, in a copy of the project"
show check -q specs/fortheking.yaml specs/translations/fortheking || true
run check specs/fortheking.yaml specs/translations/fortheking || true
tail -n 2 "$log" # what there is to do
cd - > /dev/null

say "A game of four random players, and why it ended like this"
run play fortheking --players 4 --people none --seed 44 --ruling overbid=forbidden
tail -n 15 "$log" # the end of the game

say "Does a seat have an advantage?"
run balance kingme --players 4 --games 500 --no-rulings -q
# The two sentences below the heading of the seats, and the table of the wins.
awk '/^SEATS/ {n=3} n>1 && n<=3 && !/^SEATS/ {print; n--} /^Share of the wins/ {print ""; table=1} table; table && /^$/ {exit}' "$log"

say "The rulebook for two players in Ukrainian, as a page to read and print"
show text render fortheking --lang uk --players 2 --format html --output build/rulebook-uk.html
echo "It is in build/rulebook-uk.html. With pip install 'ftk[pdf]', --format pdf makes it PDF/UA."

echo "The full output is in ${log#"$PWD"/}."
