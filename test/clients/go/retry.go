package main

import (
	"io"
	"net/http"
	"strconv"
	"time"
)

const attempts = 5

// retrying retries after 429 and 5xx. It waits for the time in Retry-After before each retry.
type retrying struct{}

func (retrying) RoundTrip(request *http.Request) (*http.Response, error) {
	for attempt := 1; ; attempt++ {
		response, err := http.DefaultTransport.RoundTrip(request)
		if err != nil || attempt == attempts || (response.StatusCode != 429 && response.StatusCode < 500) {
			return response, err
		}
		io.Copy(io.Discard, response.Body)
		response.Body.Close()
		wait, err := strconv.ParseFloat(response.Header.Get("Retry-After"), 64)
		if err != nil {
			wait = 0.02
		}
		time.Sleep(time.Duration(wait * float64(time.Second)))
		if request.GetBody != nil {
			request.Body, _ = request.GetBody()
		}
	}
}
