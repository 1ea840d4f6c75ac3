module github.com/poolproof/poolproof/examples

go 1.26.0

require (
	github.com/fsnotify/fsnotify v1.10.1
	github.com/poolproof/poolproof v0.0.0
)

require golang.org/x/sys v0.13.0 // indirect

replace github.com/poolproof/poolproof => ../
