#!/usr/bin/env bash
# The demo, with one game: check its rules and texts, print its rulebook, play it, measure the balance of its seats.
# It prints about sixty lines; the whole output of every command goes to build/demo.log. It fails if a command ends
# otherwise than expected, or if the output lacks what is to be shown.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
log=$root/build/demo.log
export FTK_LANG=en # the language of the findings; by default that of the system

project=$(mktemp -d) # a project with the files of King Me! in three languages
output=$project/output # of the latest command
trap 'rm -rf "$project"' EXIT
mkdir -p build "$project/specs/translations/kingme" "$project/specs/glossaries" "$project/specs/scenarios" "$project/specs/variants"
cp specs/kingme.yaml "$project/specs"
cp specs/translations/kingme/{en,uk,zh-Hant}.yaml "$project/specs/translations/kingme"
cp specs/glossaries/kingme.yaml "$project/specs/glossaries"
cp -r specs/scenarios/kingme "$project/specs/scenarios"
cp -r specs/variants/kingme "$project/specs/variants"
: > "$log"

say() { printf '\n== %s\n' "$*" | tee -a "$log"; }

fail() {
  printf 'The demo failed: %s\n' "$*" >&2
  exit 1
}

run() { # STATUS ARGUMENT…: runs `ftk ARGUMENT…`, which must end with this exit status
  local expected=$1 status=0
  shift
  printf '$ ftk %s\n' "$*" | tee -a "$log"
  "${FTK:-$root/.venv/bin/ftk}" "$@" > "$output" 2>&1 || status=$?
  cat "$output" >> "$log"
  [ "$status" -eq "$expected" ] || fail "exit status $status instead of $expected: build/demo.log has the output"
}

expect() { # COUNT TEXT: that many lines of the output contain the text
  local count
  count=$(grep -cF -- "$2" "$output") || true
  [ "$count" -eq "$1" ] || fail "$count lines of the output instead of $1 contain: $2"
}

section() { # HEADING: the paragraphs below a heading of the rulebook
  awk -v heading="$1" '/^#/ {inside = index($0, heading)} inside && NF' build/rulebook-en.md
}

cd "$project"
say "King Me! has its rules in a spec, and rulebooks in three languages. One number of the spec is changed"
echo "\$ sed -i 's/placements: {by: players, 3: 4/placements: {by: players, 3: 5/' specs/kingme.yaml"
sed -i.bak 's/placements: {by: players, 3: 4/placements: {by: players, 3: 5/' specs/kingme.yaml
run 1 check specs/kingme.yaml
expect 1 'RS626 broken-invariant: The invariant `place.left_over` does not hold with 3 players.'
head -n 3 "$output"

say "Now three rulebooks are wrong as well"
run 1 check specs/translations/kingme
expect 3 "the spec says 5 with 3 players."
awk '/ error RS911 / {lines = 3} lines-- > 0' "$output" # each finding with its line of the text
tail -n 2 "$output"

say "With the number put back, rules, texts and worked examples agree"
mv specs/kingme.yaml.bak specs/kingme.yaml
run 0 check kingme
expect 1 "nothing wrong"
cat "$output"
run 0 test kingme
expect 1 " scenarios in 8 files, 0 failed"
cat "$output"

cd "$root"
say "The rulebook for three players, to read and to print"
run 0 text render kingme --lang en --players 3 --output build/rulebook-en.md
run 0 text render kingme --lang uk --players 3 --format html --output build/rulebook-uk.html
section "The placement"

say "A whole game of random players, and why it ended like this"
run 0 play kingme --players 3 --people none --seed 38
expect 1 "share the win"
tail -n 4 "$output"
section "Most points win" | grep -A 1 "tie for the most points, whoever"

say "Does a seat have an advantage? 1,000 games"
run 0 balance kingme --players 3 --bot random --games 1000 --no-rulings -q
expect 1 "seat advantage"
grep "seat advantage" "$output"
awk '/^Share of the wins/ {table = 1} !NF {table = 0} table' "$output"

say "What to try next"
cat << END
. .venv/bin/activate          puts ftk on the path
ftk play kingme               play it yourself, against random players
ftk rulings kingme            what its rulebooks leave open, such as the tie above
ftk new river --lang en,uk    start a game of your own: docs/tutorial.md
ftk check                     check all games and texts: one to two minutes
The rulebooks are in build/, and the whole output of the commands above is in build/demo.log.
END
