module github.com/poolproof/poolproof/studies/peers/suites

go 1.26.0
