module third

go 1.26

require github.com/poolproof/poolproof v0.0.0

replace github.com/poolproof/poolproof => ../../../../../../../..
