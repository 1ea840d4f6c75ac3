#!/usr/bin/env bash
# Do the pools of a real server pay? fasthttp's example of a file server, without its
# sync.Pools against as it is, under a load from another process:
#
#	cmd/poolproof/internal/lab/fasthttp.sh DIR [BUDGET]
#
# DIR gets a git repository of the module with two tags, pools and none, and the runs. In
# none, each sync.Pool is a type whose Get calls New and whose Put does nothing;
# bytebufferpool, which is another module, stays. What it printed is in records/fasthttp.md.
set -euo pipefail
repository=$(cd "$(dirname "$0")/../../../.." && pwd)
mkdir -p "$1" && cd "$1"
work=$PWD budget=${2:-60s} version=v1.78.0

(cd "$repository" && go build -o "$work" ./cmd/poolproof ./examples/jsonserver/load)
if [ ! -d repo/.git ]; then
	source=$(GOWORK=off GOFLAGS=-mod=mod go mod download -json github.com/valyala/fasthttp@$version | sed -n 's/.*"Dir": "\(.*\)",*/\1/p')
	rm -rf repo && cp -R "$source" repo && chmod -R u+w repo && cd repo
	commit() { git add -A && git -c user.name=lab -c user.email=lab@invalid commit -qm "$1" && git tag "$1"; }
	git init -q && commit pools
	grep -rlE --include='*.go' --exclude='*_test.go' --exclude-dir=examples 'sync\.Pool\b' . | while read -r file; do
		sed -i -E 's/sync\.Pool\b/poolless/g' "$file"
		echo 'var _ sync.Locker // the import stays' >>"$file"
		printf 'package %s\n\n' "$(sed -n 's/^package //p' "$file" | head -1)" >"$(dirname "$file")/poolless.go"
		cat >>"$(dirname "$file")/poolless.go" <<-'GO'
			type poolless struct{ New func() any }

			func (p *poolless) Get() any {
				if p.New == nil {
					return nil
				}
				return p.New()
			}

			func (*poolless) Put(any) {}
		GO
	done
	go build ./... && commit none && cd ..
fi
mkdir -p files && head -c 1000 /dev/zero | tr '\0' a >files/small.txt && head -c 100000 /dev/zero | tr '\0' b >files/large.txt

ask() { # NAME LOAD
	echo "== $1"
	(cd repo && ../poolproof try -base none -head pools -budget "$budget" -out "$work/$1" \
		-cmd "fileserver -addr \$ADDR -dir $work/files" -load "$work/load -addr \$ADDR $2" ./examples/fileserver) || echo "exit code $?"
}
ask kept-connections '-n 30000 -c 8 -path /small.txt'
ask new-connections '-n 10000 -c 8 -path /small.txt -close'
ask large-file '-n 10000 -c 8 -path /large.txt'
