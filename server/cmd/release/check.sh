#!/bin/sh
# Builds the commit twice, each time in a clone in another folder, and compares
# the bytes. Its arguments are the release's. `make release-check` runs it.
set -eu
work=build/release-check
rm -rf "$work"
mkdir -p "$work"
for clone in one deep/er/two; do
  git clone --quiet . "$work/$clone"
  (cd "$work/$clone" && go run ./server/cmd/release "$@")
done
diff -r "$work/one/build/release" "$work/deep/er/two/build/release"
(cd "$work/one/build/release" && sha256sum -c SHA256SUMS)
echo "the same bytes twice"
