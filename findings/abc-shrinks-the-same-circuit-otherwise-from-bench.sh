#!/usr/bin/env bash
# ABC makes another circuit of the same graph when it was kept as BENCH instead of AIGER, BLIF or Verilog.
#
# Version: berkeley-abc 1.01+20221019 (Debian 12).
# Guess:   a sequence of ABC's passes gives the same numbers for a circuit, whichever of its own formats kept it: read again,
#          it has as many gates and levels in each.
# Seen:    from BENCH, in which the gates have another order, the same ten passes and mapping leave 209 tables of six inputs
#          instead of 214, and 672 gates instead of 670, from 789 gates in 87 levels. So a sequence that gains a few per cent on a
#          suite of circuits may owe it to the format of the files.
set -euo pipefail
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
cd "$here"
apt-get download --quiet=2 berkeley-abc=1.01+20221019git70cb339+dfsg-4
dpkg-deb --extract berkeley-abc_*.deb .

# A circuit of 400 gates, each a function of some of the forty before it.
python3 - > circuit.blif <<'PYTHON'
import random

chance = random.Random(2)
signals = [f"i{number}" for number in range(10)]
print(".model circuit\n.inputs", *signals)
gates = []
for number in range(400):
    a, b, c = chance.sample(signals[-40:], 3)
    table = chance.choice(["11 1", "10 1", "01 1", "00 1"])
    if chance.random() < 0.3:
        gates.append(f".names {a} {b} {c} n{number}\n11- 1\n1-1 1\n-11 1")
    elif chance.random() < 0.3:
        gates.append(f".names {a} {b} n{number}\n10 1\n01 1")
    else:
        gates.append(f".names {a} {b} n{number}\n{table}")
    signals.append(f"n{number}")
print(".outputs", *signals[-12:])
print("\n".join(gates))
print(".end")
PYTHON
abc=$here/usr/bin/berkeley-abc
"$abc" -c 'read circuit.blif; strash; write_aiger kept.aig; write_blif kept.blif; write_verilog kept.v; write_bench kept.bench' > written.log
passes='balance; rewrite; refactor; balance; rewrite; rewrite -z; balance; refactor -z; rewrite -z; balance'
seen=
for file in kept.aig kept.blif kept.v kept.bench; do
  "$abc" -c "read $file; strash; print_stats; $passes; print_stats; if -K 6; print_stats; cec -n circuit.blif" > "$file.log"
  numbers=$(grep --only-matching --extended-regexp '(and|nd) = +[0-9]+|lev = +[0-9]+' "$file.log" | tr --delete --complement '0-9\n' | xargs)
  echo "$file: gates and levels as read, after ten passes, and of tables: $numbers"
  grep --quiet 'Networks are equivalent' "$file.log"
  seen="$seen$numbers;"
done
[ "$seen" = '789 87 670 73 214 14;789 87 670 73 214 14;789 87 670 73 214 14;789 87 672 75 209 14;' ]
