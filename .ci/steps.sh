# What .ci/run and .ci/long share: steps with their times, tests that run again
# once, and the lists of what was skipped and of what failed at first. It is
# sourced, in the root of the repository.
set -euo pipefail
exec </dev/null
root=$PWD

staticcheck=honnef.co/go/tools/cmd/staticcheck@v0.8.2
unparam=mvdan.cc/unparam@v0.0.0-20260823230713-2fa3d841b0c8

# A checkout that belongs to another user has no revision to stamp.
export GOFLAGS="-buildvcs=false ${GOFLAGS:-}"

only=${1:-}
step="start"
scratch=$(mktemp -d)
skips=$scratch/skips flaky=$scratch/flaky
touch "$skips" "$flaky"

# summary prints at the end what a reader must know beside the result.
summary() {
	local code=$?
	[ ! -s "$skips" ] || { echo "=== skipped:"; sed 's/^/  /' "$skips"; }
	[ ! -s "$flaky" ] || { echo "=== flaky, failed once and passed then:"; sort -u "$flaky" | sed 's/^/  /'; }
	rm -rf "$scratch"
	if [ $code -ne 0 ]; then
		echo "=== ci: FAILED in: $step"
	elif [ -n "$only" ]; then
		echo "=== ci: only some steps"
	else
		echo "=== ci: ok"
	fi
}
trap summary EXIT

# processor prints the seconds of processor time that our commands have taken.
# The builtin times knows them in this shell only, not in one that $() begins.
processor() {
	tr 'ms' '  ' <"$scratch/times" | awk 'NR == 2 { printf "%d", 60 * ($1 + $3) + $2 + $4 }'
}

# run NAME COMMAND... prints the name, runs the command, prints its seconds.
run() {
	step=$1
	shift
	if [[ ! $step =~ $only ]]; then return; fi
	local start=$SECONDS before
	times >"$scratch/times"
	before=$(processor)
	echo "=== $step"
	"$@"
	times >"$scratch/times"
	echo "=== $step: $((SECONDS - start)) s, $(($(processor) - before)) s of processor time"
}

# skip WHAT WHY says so now, and in the summary.
skip() {
	echo "=== SKIPPED $1: $2"
	echo "$1: $2" >>"$skips"
}

# find_files PATTERN lists files of the project. Test data has its own rules.
find_files() {
	find . \( -name .git -o -name .poolproof -o -name testdata -o -name vendor \) -prune -o -type f -name "$1" -print | sort
}

# members are the modules of the workspace, others those outside of it: what needs
# other versions of a dependency, or drags in much.
members=() others=()
while read -r file; do
	module=$(dirname "$file")
	if grep -qxE "\s*(use )?${module//./\\.}" go.work; then members+=("$module"); else others+=("$module"); fi
done < <(find_files go.mod)

# each COMMAND... runs it in each of the modules (an array) that has packages, on
# its own, without the workspace.
each() {
	local module
	for module in "${modules[@]}"; do
		cd "$root/$module"
		if [ -z "$(GOWORK=off go list ./... 2>&1 | grep -v 'matched no packages')" ]; then
			echo "--- $module: no packages"
		else
			echo "--- $module: $*"
			GOWORK=off "$@"
		fi
	done
	cd "$root"
}

# tested COMMAND... runs go test. If tests fail, it runs them again, once, and the
# summary names what failed: what passed is in the go command's cache and does not
# run again. Some tests measure time on a machine that others use too; a defect
# fails twice. A data race fails at once: a race that shows in half of the runs is
# a race.
tested() {
	if "$@" 2>&1 | tee "$scratch/out"; then return; fi
	if grep -qE 'WARNING: DATA RACE|fatal error: concurrent map ' "$scratch/out"; then
		echo "=== A DATA RACE, does not run again: $*"
		return 1
	fi
	local names
	names=$(grep -E '^(--- FAIL: |FAIL[[:space:]]+[^ ]+/)' "$scratch/out" | awk '{ print ($1 == "---" ? $3 : $2) }' | sort -u || true)
	echo "=== FAILED ONCE, runs again: $*"
	"$@"
	echo "${names:-$*}" >>"$flaky"
}

# debian_packages NAME... installs what some tests use if it is there: those skip
# without.
debian_packages() {
	if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
		skip "Debian packages $*" "not root on Debian; tests that use them skip"
		return
	fi
	local name
	apt-get update -q >/dev/null 2>&1 || echo "apt-get update failed: what is known already is tried"
	DEBIAN_FRONTEND=noninteractive timeout 600 apt-get install -y -q --no-install-recommends "$@" >/dev/null 2>&1 && return
	for name; do # one that is not there must not keep the others out
		DEBIAN_FRONTEND=noninteractive timeout 300 apt-get install -y -q --no-install-recommends "$name" >/dev/null 2>&1 ||
			skip "Debian package $name" "apt-get failed; tests that use it skip"
	done
}

# python_packages NAME... installs modules that independent checks are written
# with.
python_packages() {
	if ! command -v python3 >/dev/null || ! python3 -m pip --version >/dev/null 2>&1; then
		skip "Python packages $*" "no python3 with pip; tests that use them skip"
		return
	fi
	local name
	for name; do
		timeout 300 python3 -m pip install -q --disable-pip-version-check --break-system-packages "$name" >/dev/null 2>&1 ||
			skip "Python package $name" "pip failed; tests that use it skip"
	done
}
