module example.test/accounts

go 1.21
