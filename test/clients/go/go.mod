module flow

go 1.23
