module github.com/poolproof/poolproof/systems

go 1.26.0

require github.com/poolproof/poolproof v0.0.0

require go.yaml.in/yaml/v4 v4.0.0

replace github.com/poolproof/poolproof => ../
