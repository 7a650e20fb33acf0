#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Makes models and snippets, builds both artifacts and runs their tests by Maven.   run.sh BUILD_FOLDER FLATC [OPTION...]
# Options go to Maven. Exit status 77, with the reason, where Maven or what it fetches is missing. Prints one line
# "skipped: ..." for each skipped test.
set -eu
cd "$(dirname "$0")/../.."
build=$(realpath "$1") flatc=$2
shift 2
[ -d "$build/java/natives" ] || { echo "no JDK with jni.h here (Debian package default-jdk-headless)"; exit 77; }
command -v mvn >/dev/null || { echo "no Maven here (Debian package maven)"; exit 77; }

python3 -B java/tests/aar_test.py
python3 -B java/tests/make_models.py "$flatc" schema/schema.fbs "$build/java/models"
rm -rf "$build/java/snippets"
documents=${TERN_SHARED:-../shared}/product-docs
if [ -d "$documents" ]; then
  python3 -B java/tests/make_snippets.py "$build/java/snippets" "$documents"
else
  echo "skipped: whether the snippets are all that the documents have (no $documents)"
  python3 -B java/tests/make_snippets.py "$build/java/snippets"
fi

log=$build/java/maven.log
status=0
rm -rf "$build"/java/tests/surefire-reports
# Without the daemon of Kotlin's compiler, which would stay behind for hours.
mvn -B -ntp -f java/pom.xml -Ptests "-Dtern.build=$build" -Dkotlin.compiler.daemon=false package "$@" >"$log" 2>&1 || status=$?
if [ $status != 0 ] && grep -qE 'Could not transfer artifact|in offline mode' "$log"; then
  echo "Maven cannot fetch what it needs: $(grep -m1 -oE '(Could not transfer artifact|Cannot access) [^ ]+' "$log")"
  exit 77
fi
# HotSpot's own checks of native code (-Xcheck:jni) go to the standard output.
if grep -A8 -E 'in native method|FATAL ERROR' "$log"; then
  echo "native code broke a rule of JNI"
  status=1
fi
grep -hE '^\[(ERROR|WARNING)\]|Tests run:|^(10000 cycles|500 interpreters)' "$log" || true
# Skips that are meant are no news: the run without a GPU, and the test that is for it alone.
python3 - "$build"/java/tests/surefire-reports/*.xml <<'PYTHON'
import sys, xml.etree.ElementTree as xml
for file in sys.argv[1:]:
    for case in xml.parse(file).getroot().iter('testcase'):
        note = case.find('skipped')
        reason = '' if note is None else (note.text or '').split('\n')[0].split('Assumption failed: ')[-1]
        if note is not None and 'without-gpu' not in file and reason != 'for the run without a GPU':
            print(f"skipped: {case.get('classname')}.{case.get('name')}: {reason}")
PYTHON
exit $status
