module github.com/poolproof/poolproof/studies/peers/hotswap

go 1.26.0

require (
	github.com/poolproof/poolproof v0.0.0
	github.com/poolproof/poolproof/studies v0.0.0
	github.com/puzpuzpuz/xsync/v4 v4.5.0
)

replace (
	github.com/poolproof/poolproof => ../../../
	github.com/poolproof/poolproof/studies => ../../
)
