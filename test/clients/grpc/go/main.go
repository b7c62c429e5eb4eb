// The flow of FLOW.md with google.golang.org/grpc, over code that protoc-gen-go generated.
package main

import (
	"context"
	"crypto/tls"
	"fmt"
	"net/url"
	"os"
	"strings"
	"time"

	pb "example.test/flow/accountsv1"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/keepalive"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/reflection/grpc_reflection_v1"
	"google.golang.org/protobuf/types/known/structpb"
)

const (
	identifier   = "Flow@acme.test"
	state        = "a state & more"
	organization = "org_100000000000000001"
	user         = "usr_100000000000000005"
	service      = "example.accounts.v1.ConnectedAccounts"
	policy       = `{"methodConfig": [{"name": [{}], "retryPolicy": {
		"maxAttempts": 5, "initialBackoff": "0.02s", "maxBackoff": "0.1s", "backoffMultiplier": 2,
		"retryableStatusCodes": ["RESOURCE_EXHAUSTED", "INTERNAL", "DEADLINE_EXCEEDED"]}}]}`
)

var (
	base     = os.Getenv("MOCK_URL")
	ctx      = withToken("none")
	channel  *grpc.ClientConn
	accounts pb.ConnectedAccountsClient
)

func main() {
	address, err := url.Parse(base)
	must(err == nil, "%v", err)
	security := insecure.NewCredentials()
	if address.Scheme == "https" {
		security = credentials.NewTLS(&tls.Config{})
	}
	channel, err = grpc.NewClient(
		address.Host,
		grpc.WithTransportCredentials(security),
		grpc.WithDefaultServiceConfig(policy),
		grpc.WithKeepaliveParams(keepalive.ClientParameters{Time: 10 * time.Second, PermitWithoutStream: true}),
	)
	must(err == nil, "%v", err)
	accounts = pb.NewConnectedAccountsClient(channel)
	health()
	reflection()
	signIn()
	connections()
	id := account()
	lists()
	authorization()
	provider()
	membership()
	logs()
	faults(id)
	strain()
	remove()
}

func withToken(token string) context.Context {
	return metadata.AppendToOutgoingContext(context.Background(), "authorization", "Bearer "+token)
}

func health() {
	client := grpc_health_v1.NewHealthClient(channel)
	answer := ok(client.Check(ctx, &grpc_health_v1.HealthCheckRequest{Service: service}))
	must(answer.Status == grpc_health_v1.HealthCheckResponse_SERVING, "%v", answer)
	_, err := client.Check(ctx, &grpc_health_v1.HealthCheckRequest{Service: "none"})
	refused(err, codes.NotFound)
	done("health")
}

func reflection() {
	stream := ok(grpc_reflection_v1.NewServerReflectionClient(channel).ServerReflectionInfo(ctx))
	ask := func(request *grpc_reflection_v1.ServerReflectionRequest) *grpc_reflection_v1.ServerReflectionResponse {
		must(stream.Send(request) == nil, "the stream of reflection has ended")
		return ok(stream.Recv())
	}
	list := ask(&grpc_reflection_v1.ServerReflectionRequest{
		MessageRequest: &grpc_reflection_v1.ServerReflectionRequest_ListServices{ListServices: "*"},
	})
	must(strings.Contains(list.String(), service), "%v", list)
	file := ask(&grpc_reflection_v1.ServerReflectionRequest{
		MessageRequest: &grpc_reflection_v1.ServerReflectionRequest_FileContainingSymbol{FileContainingSymbol: service},
	})
	first := file.GetFileDescriptorResponse().GetFileDescriptorProto()[0]
	must(strings.Contains(string(first), "example/accounts/v1/accounts.proto"), "%v", file)
	must(stream.CloseSend() == nil, "the stream of reflection has ended")
	done("reflection")
}

func signIn() {
	answer := ok(pb.NewTokensClient(channel).IssueToken(ctx, &pb.IssueTokenRequest{
		GrantType:    "client_credentials",
		ClientId:     os.Getenv("MOCK_CLIENT_ID"),
		ClientSecret: os.Getenv("MOCK_CLIENT_SECRET"),
	}))
	must(answer.TokenType == "Bearer" && answer.ExpiresIn == 86400, "%v", answer)
	done("token")
	_, err := pb.NewConnectionsClient(channel).ListConnections(ctx, &pb.ListConnectionsRequest{})
	must(refused(err, codes.Unauthenticated).GetErrorCode() == "UNAUTHENTICATED", "%v", err)
	ctx = withToken(answer.AccessToken)
	done("unauthenticated")
}

func connections() {
	answer := ok(pb.NewConnectionsClient(channel).ListConnections(ctx, &pb.ListConnectionsRequest{}))
	for _, one := range answer.Connections {
		if one.KeyId == "mail" && one.Type == pb.Connection_TYPE_OAUTH {
			done("connections")
			return
		}
	}
	must(false, "no connection mail of type OAUTH")
}

func account() string {
	wanted := &pb.CreateConnectedAccountRequest{
		Connector: "mail", Identifier: identifier,
		ConnectedAccount: &pb.AccountCredentials{
			ApiConfig: toStruct(map[string]any{"first": 1}),
			AuthorizationDetails: &pb.AuthorizationDetails{Details: &pb.AuthorizationDetails_OauthToken{
				OauthToken: &pb.OauthToken{AccessToken: "flow-access", Scopes: []string{"mail.read"}},
			}},
		},
	}
	created := ok(accounts.CreateConnectedAccount(ctx, wanted)).ConnectedAccount
	must(created.Status == pb.AccountStatus_ACTIVE && strings.HasPrefix(created.Id, "ca_"), "%v", created)
	done("create")
	_, err := accounts.CreateConnectedAccount(ctx, wanted)
	refused(err, codes.AlreadyExists)
	done("conflict")
	_, err = accounts.ListConnectedAccounts(ctx, &pb.ListConnectedAccountsRequest{PageSize: 101})
	violations := refused(err, codes.InvalidArgument).GetValidationErrorInfo().GetFieldViolations()
	must(len(violations) == 1 && violations[0].Field == "page_size", "%v", violations)
	done("invalid")
	updated := ok(update(map[string]any{"second": 2})).ConnectedAccount.ApiConfig.AsMap()
	must(updated["first"] == 1.0 && updated["second"] == 2.0, "%v", updated)
	done("update")
	return created.Id
}

func update(config map[string]any, options ...grpc.CallOption) (*pb.ConnectedAccountResponse, error) {
	return accounts.UpdateConnectedAccount(ctx, &pb.UpdateConnectedAccountRequest{
		Connector: "mail", Identifier: identifier,
		ConnectedAccount: &pb.AccountCredentials{ApiConfig: toStruct(config)},
	}, options...)
}

func toStruct(values map[string]any) *structpb.Struct {
	return ok(structpb.NewStruct(values))
}

func lists() {
	seen := map[string]bool{}
	for token := ""; ; {
		page := ok(accounts.ListConnectedAccounts(ctx, &pb.ListConnectedAccountsRequest{PageSize: 5, PageToken: token}))
		for _, one := range page.ConnectedAccounts {
			seen[one.Id] = true
		}
		if token = page.NextPageToken; token == "" {
			must(len(seen) == int(page.TotalSize), "%d of %d", len(seen), page.TotalSize)
			done("pages")
			return
		}
	}
}

func authorization() {
	link := ok(accounts.CreateMagicLink(ctx, &pb.CreateMagicLinkRequest{
		Connector: "mail", Identifier: identifier, State: state, UserVerifyUrl: "http://localhost:3000/verify?from=flow",
	}))
	must(link.Expiry.AsTime().After(time.Now()), "%v", link)
	returned := approve(link.Link).Query()
	must(returned.Get("state") == state && returned.Get("from") == "flow", "%v", returned)
	done("link")
	request := &pb.VerifyRequest{AuthRequestId: returned.Get("auth_request_id"), Identifier: "other@acme.test"}
	_, err := accounts.VerifyConnectedAccountUser(ctx, request)
	refused(err, codes.PermissionDenied)
	done("mismatch")
	request.Identifier = identifier
	verified := ok(accounts.VerifyConnectedAccountUser(ctx, request))
	must(strings.HasPrefix(verified.PostUserVerifyRedirectUrl, "http"), "%v", verified)
	done("verify")
}

func provider() {
	client := pb.NewCustomProvidersClient(channel)
	created := ok(client.CreateCustomProvider(ctx, &pb.CreateCustomProviderRequest{Provider: &pb.Provider{
		DisplayName:  toPointer("Flow"),
		ProxyUrl:     toPointer("https://proxy.test"),
		AuthPatterns: []*structpb.Struct{toStruct(map[string]any{"type": "API_KEY"})},
	}})).Provider
	must(strings.Contains(created.Identifier, ":"), "%v", created)
	renamed := ok(client.UpdateCustomProvider(ctx, &pb.UpdateCustomProviderRequest{
		ProviderIdentifier: created.Identifier, Provider: &pb.Provider{DisplayName: toPointer("Flow 2")},
	})).Provider
	must(renamed.GetDisplayName() == "Flow 2", "%v", renamed)
	removal := &pb.DeleteCustomProviderRequest{Key: &pb.DeleteCustomProviderRequest_Key{Identifier: created.Identifier}}
	ok(client.DeleteCustomProvider(ctx, removal))
	_, err := client.DeleteCustomProvider(ctx, removal)
	refused(err, codes.NotFound)
	done("provider")
}

func toPointer(text string) *string { return &text }

func membership() {
	client := pb.NewUsersClient(channel)
	invited := ok(client.CreateMembership(ctx, &pb.CreateMembershipRequest{
		OrganizationId: organization, User: &pb.CreateMembershipRequest_Id{Id: user},
		Membership: &pb.MembershipForm{InviterEmail: "ada@acme.test"},
	})).User
	must(invited.Memberships[0].MembershipStatus == pb.MembershipStatus_MEMBERSHIP_STATUS_PENDING_INVITE, "%v", invited)
	changed := ok(client.UpdateMembership(ctx, &pb.UpdateMembershipRequest{
		OrganizationId: organization, User: &pb.UpdateMembershipRequest_Id{Id: user},
		Membership: &pb.MembershipForm{Metadata: map[string]string{"team": "core"}},
	})).User
	must(changed.Memberships[0].Metadata["team"] == "core", "%v", changed)
	invite := ok(client.ResendInvite(ctx, &pb.ResendInviteRequest{OrganizationId: organization, Id: user})).Invite
	must(invite.ResentCount == 1, "%v", invite)
	removal := &pb.DeleteMembershipRequest{
		OrganizationId: organization, User: &pb.DeleteMembershipRequest_Id{Id: user},
	}
	ok(client.DeleteMembership(ctx, removal))
	_, err := client.DeleteMembership(ctx, removal)
	refused(err, codes.NotFound)
	done("membership")
	external := ok(client.CreateMembership(ctx, &pb.CreateMembershipRequest{
		OrganizationId: organization, User: &pb.CreateMembershipRequest_ExternalId{ExternalId: "ext-barbara"},
	})).User
	must(external.ExternalId == "ext-barbara", "%v", external)
	ok(client.DeleteMembership(ctx, &pb.DeleteMembershipRequest{
		OrganizationId: organization, User: &pb.DeleteMembershipRequest_ExternalId{ExternalId: "ext-barbara"},
	}))
	done("external-id")
}

func logs() {
	statuses := []pb.LogStatus{pb.LogStatus_LOG_STATUS_SUCCESS, pb.LogStatus_LOG_STATUS_FAILED}
	request := &pb.ListAuthenticationRequestsRequest{Status: statuses}
	answer := ok(pb.NewAuthenticationLogsClient(channel).ListAuthenticationRequests(ctx, request))
	must(len(answer.AuthRequests) > 0, "no sign-ins")
	for _, one := range answer.AuthRequests {
		must(one.Status == statuses[0] || one.Status == statuses[1], "%v", one)
	}
	done("logs")
}

func remove() {
	address := &pb.AccountAddress{Connector: "mail", Identifier: identifier}
	ok(accounts.DeleteConnectedAccount(ctx, address))
	_, err := accounts.GetConnectedAccountDetails(ctx, address)
	refused(err, codes.NotFound)
	done("delete")
}

func done(step string) { fmt.Println("ok " + step) }
