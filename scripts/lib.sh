# shellcheck shell=bash
# Functions shared by the scripts. This file is sourced, not run. It finds the package's folder and the Swift toolchain,
# lets scripts/setup install what is missing, and runs long commands with their output in a log file.

set -euo pipefail

# The package's folder, and the directory that the script was called from.
root=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.." && pwd)
# shellcheck disable=SC2034 # the scripts use it
caller=$PWD
cd "$root"

logs=$root/.build/logs

# Options for every swift command that reads Package.swift. SwiftPM's manifest cache does not notice
# folders that are added to or deleted from Plugins/. SwiftPM tries to download a prebuilt swift-syntax for each new build
# folder, which takes a long time without a network. HSLINK_PREBUILTS=1 lets it try: if there is one, a first build takes
# minutes less, and if there is none, or no network, SwiftPM compiles the sources as without it. It is not probed for:
# a build with other options compiles everything anew, so the network of the day must not decide.
# shellcheck disable=SC2034 # the scripts use it
package_options=(--manifest-cache none)
[[ ${HSLINK_PREBUILTS-} == 1 ]] || package_options+=(--disable-experimental-prebuilts)

# The same for debug builds. Their C code is optimised: without that, making digests of passwords, which is slow on purpose,
# takes most of the tests' processor time. A build with other options compiles everything anew. The index stays on: SwiftPM
# looks for tests in it.
# shellcheck disable=SC2034 # the scripts use it
debug_options=("${package_options[@]}" -Xcc -O1)

# For builds from nothing that nobody goes on from: each module is compiled as a whole and without debug information, which
# takes about a quarter less time, but compiles all of a module anew for a change in one file. With threads, the
# compiler writes an index of each file, as SwiftPM expects. OutsidePackageTests, which builds packages of its own,
# reads the variable.
if [[ -n ${HSLINK_BUILD_ONCE-} ]]; then
    once_options=(-debug-info-format none -Xswiftc -wmo -Xswiftc -num-threads -Xswiftc 2)
    debug_options+=("${once_options[@]}")
    export HSLINK_ONCE_OPTIONS="${once_options[*]}"
fi

# swift_build ARGUMENT…: swift build, in such a way that the next one goes on from it. SwiftPM names the traits of a package
# to the compiler in the order of a set, which is another one in each run, and another order compiles everything anew.
swift_build() { SWIFT_DETERMINISTIC_HASHING=1 swift build "$@"; }

# ---- Messages

name_of_script=scripts/$(basename "$0")

# say TEXT…: prints a line about progress.
say() { printf '%s\n' "$*" >&2; }

# fail TEXT…: prints the reason and exits.
fail() {
    printf '%s: %s\n' "$name_of_script" "$*" >&2
    exit 1
}

# misuse TEXT…: reports a wrong command line and exits (EX_USAGE).
misuse() {
    printf '%s: %s; see %s --help\n' "$name_of_script" "$*" "$name_of_script" >&2
    exit 64
}

# ---- Cleaning up

ticker=
work=

stop_ticker() {
    [[ -n $ticker ]] || return 0
    kill "$ticker" 2>/dev/null || true
    wait "$ticker" 2>/dev/null || true
    ticker=
    [[ ! -t 2 ]] || printf '\r\033[K' >&2
}

on_exit() {
    stop_ticker
    [[ -z $work ]] || rm -rf "$work"
}
trap on_exit EXIT

# need_work: creates the temporary directory $work, which is removed when the script exits.
need_work() { [[ -n $work ]] || work=$(mktemp -d); }

# ---- Long commands

# tick TEXT LOG: reports that TEXT is still in progress, and how far it has got: every second on a terminal,
# else every 30 s.
tick() {
    local text=$1 log=$2 step passed next=30
    SECONDS=0
    while sleep 1; do
        [[ -t 2 ]] || ((SECONDS >= next)) || continue
        step=$({ grep -oE '^\[[0-9]+/[0-9]{2,}\]' "$log" || true; } | tail -n 1)
        passed=$(grep -cE '^[^ ]+ Test ["A-Za-z].* passed after' "$log" || true)
        ((passed == 0)) || step="[$passed passed]"
        if [[ -t 2 ]]; then
            printf '\r\033[K  still %s, %d s %s' "$text" "$SECONDS" "$step" >&2
        else
            say "  still $text, $SECONDS s $step"
            next=$((SECONDS + 30))
        fi
    done
}

# logged NAME TEXT COMMAND…: runs the command. Its output goes to .build/logs/NAME.log and is shown only
# if it fails. TEXT describes the activity, as in "building the tests".
logged() {
    local text=$2 log=$logs/$1.log status=0 started=$SECONDS
    shift 2
    mkdir -p "$logs"
    : >"$log"
    say "${text^} …"
    tick "$text" "$log" &
    ticker=$!
    "$@" >"$log" 2>&1 </dev/null || status=$?
    stop_ticker
    if ((status != 0)); then
        report_failure "$text" "$log" "$status"
        return "$status"
    fi
    say "  done $text, $((SECONDS - started)) s"
}

# report_failure TEXT LOG STATUS: prints the last lines of the log, its errors, and the path of the log.
report_failure() {
    local text=$1 log=$2 status=$3 errors
    {
        echo
        tail -n 60 "$log"
        echo
        errors=$({ grep -E '^([^ ].*[ :])?error: ' "$log" || true; } | sort -u | sed -n 1,10p)
        [[ -z $errors ]] || printf 'Errors:\n%s\n\n' "$errors"
        echo "FAILED $text (status $status). Complete output: $log"
    } >&2
}

# ---- The Swift toolchain

readonly least_major=6 least_minor=3

# swift_version SWIFT: prints the version, as in "6.3"; nothing if the swift command does not work.
swift_version() {
    { "$1" --version 2>/dev/null || true; } | sed -nE 's/.*Swift version ([0-9]+\.[0-9]+).*/\1/p' | head -n 1
}

is_new_enough() {
    local major=${1%%.*} minor=${1#*.}
    ((major > least_major || (major == least_major && minor >= least_minor)))
}

# need_swift: adds a recent enough toolchain, including its clang, to PATH.
need_swift() {
    local place found=() version bin
    for place in "$(command -v swift || true)" /opt/swift*/usr/bin/swift /usr/share/swift*/usr/bin/swift \
        /usr/local/swift*/usr/bin/swift "$HOME"/.local/share/swiftly/bin/swift; do
        [[ -n $place && -x $place ]] || continue
        version=$(swift_version "$place")
        if [[ -n $version ]] && is_new_enough "$version"; then
            PATH=$(dirname "$place"):$PATH
            # A symbolic link leads to swift only; clang is next to the real program.
            bin=$("$place" -print-target-info | sed -nE 's|.*"runtimeResourcePath": "(.*)/lib/swift".*|\1/bin|p')
            [[ -z $bin ]] || PATH=$PATH:$bin
            export PATH
            return 0
        fi
        found+=("$place is ${version:-not working}")
    done
    fail "expected Swift $least_major.$least_minor or later, found ${found[*]:-none in PATH or the usual directories}." \
        "Install it from https://www.swift.org/install/linux/ and add its usr/bin to PATH"
}

# need_toolchain PURPOSE…: provides the Swift toolchain and the packages that scripts/setup lists for these purposes.
need_toolchain() {
    scripts/setup --quiet "$@" || exit 1
    need_swift
}

# ---- Components

# lay_out SCRATCH/CONFIGURATION DIRECTORY NAME…: fills DIRECTORY with the files of these components and
# nothing else, with the modes that a host requires.
lay_out() {
    local built=$1 directory=$2 component description
    shift 2
    rm -rf "$directory"
    mkdir -p "$directory"
    chmod 755 "$directory"
    for component; do
        install -m 644 "$built/lib$component.so" "$directory/"
        # Descriptions of the libraries that the component calls.
        for description in "Plugins/$component"/*.hslink.json; do
            [[ ! -e $description ]] || install -m 644 "$description" "$directory/"
        done
    done
    carry_resources "$built" "$directory" "$@"
}

# carry_resources SCRATCH/CONFIGURATION DIRECTORY NAME…: copies the resources of these components to DIRECTORY, with
# modes that a host accepts: Plugins/NAME/NAME.resources, and the bundles that SwiftPM has made for the components and
# for the libraries in the wings of Sources/, each once and under its own name. Bundles of other packages are left out,
# because components do not look there.
carry_resources() {
    local built=$1 directory=$2 component bundle
    shift 2
    for component; do
        carry "Plugins/$component/$component.resources" "$directory"
        carry "$built/HSLink_$component.resources" "$directory"
    done
    for bundle in "$built"/HSLink_*.resources; do
        component=${bundle##*/HSLink_}
        [[ -z $(compgen -G "Sources/*/${component%.resources}/") ]] || carry "$bundle" "$directory"
    done
}

# carry FOLDER DIRECTORY: copies FOLDER into DIRECTORY, if there is such a folder.
carry() {
    [[ -d $1 ]] || return 0
    mkdir -p "$2"
    # Files instead of links, which could lead out of the copy.
    cp -RL "$1" "$2/"
    chmod -R u=rwX,go=rX "$2/$(basename "$1")"
}

# plugins: prints the names of the components in Plugins/.
plugins() { find Plugins -mindepth 1 -maxdepth 1 -type d -printf '%f\n' | sort; }

# ---- Documentation

# symbol_graphs BUILT DIRECTORY: writes the public symbols of the libraries to DIRECTORY. They are read from the modules
# in BUILT, as in .build/debug. Those of ComponentCatalog are among ComponentHost's, because programs import that.
symbol_graphs() {
    local built=$1 graphs=$2 triple module folder maps=()
    triple=$(swiftc -print-target-info | sed -nE 's/^ *"triple": "(.*)",$/\1/p')
    for folder in Sources/*/*/include/; do
        maps+=(-Xcc "-fmodule-map-file=$built/$(basename "$(dirname "$folder")").build/module.modulemap")
    done
    # The C modules of swift-system, which swift-configuration imports, and of Yams.
    for folder in swift-system/Sources/CSystem Yams/Sources/CYaml; do
        maps+=(-Xcc "-fmodule-map-file=$root/.build/checkouts/$folder/include/module.modulemap")
    done
    mkdir -p "$graphs"
    for module in ComponentKit ComponentHost PageKit; do
        swift symbolgraph-extract -module-name "$module" -target "$triple" -I "$built/Modules" "${maps[@]}" \
            -minimum-access-level public -skip-synthesized-members -output-dir "$graphs" \
            -experimental-allowed-reexported-modules=ComponentCatalog || return 1
    done
}

# convert_docs GRAPHS OUTPUT OPTION…: builds one documentation archive for all libraries, because the comments of
# ComponentHost and PageKit link to ComponentKit's types, as in ``ComponentKit/Link``. A broken link is an error.
convert_docs() {
    local graphs=$1 output=$2
    shift 2
    docc convert Sources/Authoring/ComponentKit/ComponentKit.docc --additional-symbol-graph-dir "$graphs" \
        --output-path "$output" --fallback-display-name HSLink --fallback-bundle-identifier HSLink \
        --warnings-as-errors "$@"
}
