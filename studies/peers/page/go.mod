module github.com/poolproof/poolproof/studies/peers/page

go 1.26.0
