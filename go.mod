module github.com/poolproof/poolproof

go 1.25
