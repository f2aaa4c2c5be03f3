#!/bin/sh
# make.sh DIR: the pages of docs as a site in DIR, by Debian's mkdocs and mkdocs-material. Nothing is fetched.
set -eu
cd "$(dirname "$0")/../.."
command -v mkdocs >/dev/null && python3 -c 'import mkdocs.utils as u; exit("material" not in u.get_theme_names())' 2>/dev/null || {
  echo "make site needs mkdocs with its theme: apt-get install mkdocs mkdocs-material" >&2
  exit 1
}
exec mkdocs build --quiet --strict --clean --site-dir "$(realpath -m "$1")"
