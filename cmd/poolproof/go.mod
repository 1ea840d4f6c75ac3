module github.com/poolproof/poolproof/cmd/poolproof

go 1.26.0
