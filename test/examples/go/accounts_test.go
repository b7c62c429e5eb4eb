package accounts

import (
	"encoding/json"
	"net/http"
	"os"
	"strings"
	"testing"
)

type env struct {
	Name  string `json:"name"`
	Token string `json:"access_token"`
}

func (e env) call(t *testing.T, method, path, body string) *http.Response {
	t.Helper()
	request, err := http.NewRequest(method, os.Getenv("CA_MOCK_URL")+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if e.Token != "" {
		request.Header.Set("Authorization", "Bearer "+e.Token)
	}
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { response.Body.Close() })
	return response
}

func newEnv(t *testing.T) (made env) {
	t.Helper()
	if err := json.NewDecoder(env{}.call(t, "POST", "/_mock/environments", "{}").Body).Decode(&made); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { env{}.call(t, "DELETE", "/_mock/environments/"+made.Name, "") })
	return made
}

func TestTheNextListFailsOnce(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	fault := `{"operation": "listConnections", "status": 504, "times": 1}`
	if got := (env{}).call(t, "POST", "/_mock/environments/"+e.Name+"/faults", fault).StatusCode; got != 201 {
		t.Fatalf("the fault was refused with %d", got)
	}
	for _, expected := range []int{504, 200} {
		if got := e.call(t, "GET", "/api/v1/connections", "").StatusCode; got != expected {
			t.Errorf("got %d, expected %d", got, expected)
		}
	}
}
