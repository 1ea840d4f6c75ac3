module example.com/misuse

go 1.25

require github.com/poolproof/poolproof v0.0.0

replace github.com/poolproof/poolproof => ../../../..
