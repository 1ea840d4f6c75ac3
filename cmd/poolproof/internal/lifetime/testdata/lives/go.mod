module example.com/lives

go 1.24
