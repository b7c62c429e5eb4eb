package main

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	pb "example.test/flow/accountsv1"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/encoding/gzip"
)

var details = &pb.AccountAddress{Connector: "mail", Identifier: identifier}

func faults(id string) {
	requireAnswer := func() {
		must(ok(accounts.GetConnectedAccountDetails(ctx, details)).ConnectedAccount.Id == id, "another account")
	}
	for _, status := range []int{429, 500, 504} {
		addFault(fmt.Sprintf(`"status": %d, "times": 1`, status))
	}
	requireAnswer()
	done("retries")

	addFault(`"delay_ms": 60000, "times": 1`)
	short, cancel := context.WithTimeout(ctx, 300*time.Millisecond)
	defer cancel()
	_, err := accounts.GetConnectedAccountDetails(short, details)
	refused(err, codes.DeadlineExceeded)
	requireAnswer()
	done("deadline")

	// Broken off more often than the library tries again.
	addFault(`"abort": true, "times": 5`)
	_, err = accounts.GetConnectedAccountDetails(ctx, details)
	must(err != nil, "a call that was broken off has an answer")
	requireAnswer()
	done("abort")

	addFault(`"delay_ms": 60000, "times": 1`)
	given, giveUp := context.WithCancel(ctx)
	time.AfterFunc(200*time.Millisecond, giveUp)
	_, err = accounts.GetConnectedAccountDetails(given, details)
	refused(err, codes.Canceled)
	requireAnswer()
	done("cancel")
}

func strain() {
	ids := make([]string, 100)
	var calls sync.WaitGroup
	for nth := range ids {
		calls.Add(1)
		go func() {
			defer calls.Done()
			ids[nth] = ok(accounts.CreateConnectedAccount(ctx, &pb.CreateConnectedAccountRequest{
				Connector: "mail", Identifier: fmt.Sprintf("many-%d@acme.test", nth),
			})).ConnectedAccount.Id
		}()
	}
	calls.Wait()
	seen := map[string]bool{}
	for _, id := range ids {
		seen[id] = true
	}
	must(len(seen) == len(ids), "%d different answers", len(seen))
	done("at-once")

	text := strings.Repeat("large ", 100_000)
	answer := ok(update(map[string]any{"text": text}, grpc.UseCompressor(gzip.Name)))
	must(answer.ConnectedAccount.ApiConfig.AsMap()["text"] == text, "another text")
	done("gzip")
	_, err := update(map[string]any{"text": text + text})
	must(refused(err, codes.InvalidArgument).GetErrorCode() == "PAYLOAD_TOO_LARGE", "%v", err)
	done("too-large")
}
