module github.com/poolproof/poolproof/studies/peers/pool

go 1.26.0

require (
	github.com/jackc/puddle/v2 v2.2.3
	github.com/jolestar/go-commons-pool/v2 v2.1.2
	github.com/poolproof/poolproof v0.0.0
)

require golang.org/x/sync v0.1.0 // indirect

replace github.com/poolproof/poolproof => ../../../
