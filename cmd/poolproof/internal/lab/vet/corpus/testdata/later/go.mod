module example.com/later

go 1.26
