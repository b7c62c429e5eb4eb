// Walks FLOW.md with the Go client that openapi-generator generates from the contract.
package main

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strings"

	"flow/mock"
)

const (
	identifier   = "Flow@acme.test"
	state        = "a state & more"
	organization = "org_100000000000000001"
	user         = "usr_100000000000000005"
)

var (
	base = os.Getenv("MOCK_URL")
	api  *mock.APIClient
	ctx  = context.Background()
)

func main() {
	configuration := mock.NewConfiguration()
	configuration.Servers = mock.ServerConfigurations{{URL: base}}
	configuration.HTTPClient = &http.Client{Transport: retrying{}}
	api = mock.NewAPIClient(configuration)
	signIn()
	connections()
	account()
	lists()
	authorization()
	provider()
	membership()
	logs()
	retries()
	remove()
}

func done(step string) { fmt.Println("ok " + step) }

// must ends the program with a message unless a condition holds.
func must(holds bool, what string, given ...any) {
	if !holds {
		fmt.Fprintf(os.Stderr, what+"\n", given...)
		os.Exit(1)
	}
}

// ok requires that a call succeeded, and returns its answer.
func ok[Answer any](answer Answer, response *http.Response, err error) Answer {
	if failure, isFailure := err.(*mock.GenericOpenAPIError); isFailure {
		must(false, "%v: %s", err, failure.Body())
	}
	must(err == nil, "%v", err)
	return answer
}

// refused requires that a call was answered with this status, and returns the body of the answer.
func refused[Answer any](status int) func(Answer, *http.Response, error) string {
	return func(_ Answer, response *http.Response, err error) string {
		must(response != nil && response.StatusCode == status, "wanted %d, got %v", status, response)
		failure, isFailure := err.(*mock.GenericOpenAPIError)
		must(isFailure, "wanted an error, got %v", err)
		return string(failure.Body())
	}
}

func signIn() {
	issued := ok(api.TokensAPI.IssueToken(ctx).GrantType("client_credentials").
		ClientId(os.Getenv("MOCK_CLIENT_ID")).ClientSecret(os.Getenv("MOCK_CLIENT_SECRET")).Execute())
	must(issued.TokenType == "Bearer" && issued.ExpiresIn == 86400, "token: %v", issued)
	done("token")
	wrong := context.WithValue(ctx, mock.ContextAccessToken, "none")
	body := refused[*mock.ConnectionList](401)(api.ConnectionsAPI.ListConnections(wrong).Execute())
	must(strings.Contains(body, "UNAUTHENTICATED"), "unauthorized: %s", body)
	done("unauthorized")
	ctx = context.WithValue(ctx, mock.ContextAccessToken, issued.AccessToken)
}

func connections() {
	for _, connection := range ok(api.ConnectionsAPI.ListConnections(ctx).Execute()).Connections {
		if connection.GetKeyId() == "mail" {
			must(connection.GetType() == mock.CONNECTIONTYPE_OAUTH, "connections: %v", connection)
			done("connections")
		}
	}
}

func account() {
	accounts := api.ConnectedAccountsAPI
	token := mock.NewOAuthTokenInput()
	token.SetAccessToken("flow-access")
	token.SetRefreshToken("flow-refresh")
	token.SetScopes([]string{"mail.read"})
	details := mock.NewAuthorizationDetailsInput()
	details.SetOauthToken(*token)
	given := mock.NewConnectedAccountInput()
	given.SetApiConfig(map[string]any{"first": 1})
	given.SetAuthorizationDetails(*details)
	request := mock.NewCreateConnectedAccountRequest("mail", identifier)
	request.SetConnectedAccount(*given)

	create := accounts.CreateConnectedAccount(ctx).CreateConnectedAccountRequest(*request)
	made := ok(create.Execute()).ConnectedAccount
	must(made.Status == mock.CONNECTEDACCOUNTSTATUS_ACTIVE && strings.HasPrefix(made.Id, "ca_"), "create: %v", made)
	done("create")
	refused[*mock.ConnectedAccountResponse](409)(create.Execute())
	done("conflict")
	body := refused[*mock.ConnectedAccountList](400)(accounts.ListConnectedAccounts(ctx).PageSize(101).Execute())
	must(strings.Contains(body, "page_size"), "invalid: %s", body)
	done("invalid")
	shown := ok(accounts.GetConnectedAccountDetails(ctx).Connector("mail").Identifier(identifier).Execute())
	must(shown.ConnectedAccount.Identifier == identifier, "details: %v", shown)
	done("details")
	auth := ok(accounts.GetConnectedAccountAuth(ctx).Id(made.Id).Execute()).ConnectedAccount
	held := auth.GetAuthorizationDetails()
	oauth := held.GetOauthToken()
	must(oauth.GetAccessToken() == "flow-access", "credentials: %v", auth)
	done("credentials")
	update := mock.NewUpdateConnectedAccountRequest()
	update.SetId(made.Id)
	update.SetConnectedAccount(mock.ConnectedAccountInput{ApiConfig: map[string]any{"second": 2}})
	updated := ok(accounts.UpdateConnectedAccount(ctx).UpdateConnectedAccountRequest(*update).Execute()).ConnectedAccount
	must(len(updated.ApiConfig) == 2, "update: %v", updated)
	done("update")
}

func lists() {
	accounts := api.ConnectedAccountsAPI
	seen := map[string]bool{}
	for pageToken := ""; ; {
		page := ok(accounts.ListConnectedAccounts(ctx).PageSize(5).PageToken(pageToken).Execute())
		for _, one := range page.ConnectedAccounts {
			seen[one.Id] = true
		}
		if pageToken = page.NextPageToken; pageToken == "" {
			must(len(seen) == int(page.TotalSize), "pages: %d of %d", len(seen), page.TotalSize)
			break
		}
	}
	done("pages")
	found := ok(accounts.SearchConnectedAccounts(ctx).Query("FLOW@ACME").Execute()).ConnectedAccounts
	must(len(found) == 1 && found[0].Identifier == identifier, "search: %v", found)
	done("search")
}

func authorization() {
	accounts := api.ConnectedAccountsAPI
	request := mock.NewCreateMagicLinkRequest()
	request.SetConnector("mail")
	request.SetIdentifier(identifier)
	request.SetUserVerifyUrl("http://localhost:3000/verify?from=flow")
	request.SetState(state)
	link := ok(accounts.CreateMagicLink(ctx).CreateMagicLinkRequest(*request).Execute()).Link
	answer, err := http.DefaultTransport.RoundTrip(get(link + "?decision=approve"))
	must(err == nil && answer.StatusCode == 302, "link: %v %v", answer, err)
	location, err := url.Parse(answer.Header.Get("Location"))
	must(err == nil && location.Query().Get("state") == state, "link: %v", location)
	done("link")
	verify := func(who string) mock.ApiVerifyConnectedAccountUserRequest {
		proof := mock.NewVerifyConnectedAccountUserRequest(location.Query().Get("auth_request_id"), who)
		return accounts.VerifyConnectedAccountUser(ctx).VerifyConnectedAccountUserRequest(*proof)
	}
	refused[*mock.VerifiedConnectedAccountUser](403)(verify("other@acme.test").Execute())
	done("mismatch")
	verified := ok(verify(identifier).Execute())
	must(strings.HasPrefix(verified.PostUserVerifyRedirectUrl, "http"), "verify: %v", verified)
	done("verify")
}

func get(address string) *http.Request {
	request, err := http.NewRequest("GET", address, nil)
	must(err == nil, "%v", err)
	return request
}

func provider() {
	providers := api.CustomProvidersAPI
	pattern := map[string]interface{}{"type": "API_KEY"}
	request := mock.NewCreateCustomProviderRequest("Flow", []map[string]interface{}{pattern}, "https://proxy.test")
	made := ok(providers.CreateCustomProvider(ctx).CreateCustomProviderRequest(*request).Execute()).Provider
	must(strings.Contains(made.Identifier, ":"), "provider: %v", made)
	rename := mock.NewUpdateCustomProviderRequest()
	rename.SetDisplayName("Flow 2")
	renamed := ok(providers.UpdateCustomProvider(ctx, made.Identifier).UpdateCustomProviderRequest(*rename).Execute())
	must(renamed.Provider.DisplayName == "Flow 2", "provider: %v", renamed)
	ok(providers.DeleteCustomProvider(ctx, made.Identifier).Execute())
	refused[map[string]any](404)(providers.DeleteCustomProvider(ctx, made.Identifier).Execute())
	done("provider")
}

func membership() {
	members := api.MembershipsAPI
	request := mock.NewCreateMembershipRequest()
	request.SetInviterEmail("ada@acme.test")
	made := ok(members.CreateMembership(ctx, organization, user).CreateMembershipRequest(*request).Execute()).User
	must(made.Memberships[0].GetMembershipStatus() == mock.MEMBERSHIPSTATUS_PENDING_INVITE, "membership: %v", made)
	update := mock.NewUpdateMembershipRequest()
	update.SetMetadata(map[string]string{"team": "core"})
	changed := ok(members.UpdateMembership(ctx, organization, user).UpdateMembershipRequest(*update).Execute()).User
	must(changed.Memberships[0].GetMetadata()["team"] == "core", "membership: %v", changed)
	resent := ok(api.InvitationsAPI.ResendInvite(ctx, organization, user).Body(map[string]any{}).Execute()).Invite
	must(resent.GetResentCount() == 1, "membership: %v", resent)
	ok(members.DeleteMembership(ctx, organization, user).Execute())
	refused[map[string]any](404)(members.DeleteMembership(ctx, organization, user).Execute())
	done("membership")

	empty := *mock.NewCreateMembershipRequest()
	byId := members.CreateMembershipByExternalId(ctx, organization, "ext-barbara").CreateMembershipRequest(empty)
	must(ok(byId.Execute()).User.GetExternalId() == "ext-barbara", "external-id")
	ok(members.DeleteMembershipByExternalId(ctx, organization, "ext-barbara").Execute())
	done("external-id")
}

func logs() {
	wanted := []string{"SUCCESS", "FAILED"}
	entries := ok(api.AuthenticationLogsAPI.ListAuthenticationRequests(ctx).Status(wanted).Execute()).AuthRequests
	must(len(entries) > 0, "logs: none")
	for _, entry := range entries {
		must(strings.Contains("SUCCESS FAILED", string(entry.GetStatus())), "logs: %v", entry)
	}
	done("logs")
}

func retries() {
	for _, status := range []int{429, 500, 504} {
		fault := fmt.Sprintf(`{"operation":"listConnections","status":%d,"times":1}`, status)
		faults := base + "/_mock/environments/" + os.Getenv("MOCK_ENVIRONMENT") + "/faults"
		response, err := http.Post(faults, "application/json", strings.NewReader(fault))
		must(err == nil && response.StatusCode == 201, "retries: %v %v", response, err)
	}
	must(len(ok(api.ConnectionsAPI.ListConnections(ctx).Execute()).Connections) > 0, "retries: none")
	done("retries")
}

func remove() {
	accounts := api.ConnectedAccountsAPI
	request := mock.NewDeleteConnectedAccountRequest()
	request.SetConnector("mail")
	request.SetIdentifier(identifier)
	ok(accounts.DeleteConnectedAccount(ctx).DeleteConnectedAccountRequest(*request).Execute())
	refused[*mock.ConnectedAccountDetailsResponse](404)(
		accounts.GetConnectedAccountDetails(ctx).Connector("mail").Identifier(identifier).Execute())
	done("delete")
}
