package main

import (
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strings"

	pb "example.test/flow/accountsv1"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// must ends the program unless what the flow says is true.
func must(isTrue bool, what string, given ...any) {
	if !isTrue {
		fmt.Fprintf(os.Stderr, what+"\n", given...)
		os.Exit(1)
	}
}

// ok gives the answer of a call that must have succeeded.
func ok[Answer any](answer Answer, err error) Answer {
	must(err == nil, "%v", err)
	return answer
}

// refused gives the details of the error that a call must have ended with.
func refused(err error, code codes.Code) *pb.ErrorInfo {
	must(status.Code(err) == code, "%v instead of %v", err, code)
	for _, detail := range status.Convert(err).Details() {
		if info, isInfo := detail.(*pb.ErrorInfo); isInfo {
			return info
		}
	}
	return nil
}

// addFault injects a fault into the calls that read an account.
func addFault(members string) {
	path := base + "/_mock/environments/" + os.Getenv("MOCK_ENVIRONMENT") + "/faults"
	body := `{"operation": "getConnectedAccountDetails", ` + members + `}`
	response := ok(http.Post(path, "application/json", strings.NewReader(body)))
	must(response.StatusCode == 201, "%s", response.Status)
}

// approve opens an authorization link, and gives the address that the user comes back to.
func approve(link string) *url.URL {
	client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	response := ok(client.Get(link + "?decision=approve"))
	must(response.StatusCode == 302, "%s", response.Status)
	return ok(response.Location())
}
