package example;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.regex.Pattern;
import org.junit.jupiter.api.extension.*;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;

/** An environment of the mock. */
record Env(String name, String token) {
    static final String MOCK = System.getenv("CA_MOCK_URL");
    static final HttpClient CLIENT = HttpClient.newHttpClient();

    /** Calls the API in this environment; or the control plane, where `current` is this environment. */
    HttpResponse<String> call(String method, String path, String body) {
        var request = HttpRequest.newBuilder(URI.create(MOCK + path))
            .header("Authorization", "Bearer " + token)
            .header("Content-Type", "application/json")
            .method(method, BodyPublishers.ofString(body))
            .build();
        try {
            return CLIENT.send(request, BodyHandlers.ofString());
        } catch (IOException | InterruptedException failure) {
            throw new IllegalStateException(failure);
        }
    }

    static Env make() {
        String made = new Env("", "").call("POST", "/_mock/environments", "{}").body();
        return new Env(read(made, "name"), read(made, "access_token"));
    }

    private static String read(String json, String member) {
        var found = Pattern.compile('"' + member + "\": *\"([^\"]+)").matcher(json);
        if (!found.find()) throw new IllegalStateException(json);
        return found.group(1);
    }
}

/** Gives each test with a parameter of type `Env` an environment of its own. `CA_MOCK_KEEP` keeps those of failed tests. */
class MockExtension implements ParameterResolver, TestExecutionExceptionHandler, AfterEachCallback {
    private static final Namespace OWN = Namespace.create(MockExtension.class);
    private static final String KEEP = System.getenv().getOrDefault("CA_MOCK_KEEP", "failed");

    private static Env envOf(ExtensionContext test) {
        return test.getStore(OWN).get("env", Env.class);
    }

    private static boolean isKept(ExtensionContext test) {
        return KEEP.equals("all") || KEEP.equals("failed") && test.getExecutionException().isPresent();
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext test) {
        return parameter.getParameter().getType() == Env.class;
    }

    @Override
    public Env resolveParameter(ParameterContext parameter, ExtensionContext test) {
        return test.getStore(OWN).getOrComputeIfAbsent("env", key -> Env.make(), Env.class);
    }

    @Override
    public void handleTestExecutionException(ExtensionContext test, Throwable error) throws Throwable {
        if (envOf(test) == null || KEEP.equals("none")) throw error;
        String where = Env.MOCK + "/_mock/#/" + envOf(test).name();
        throw new AssertionError(error.getMessage() + "\n\nThe environment was kept: " + where, error);
    }

    @Override
    public void afterEach(ExtensionContext test) {
        if (envOf(test) != null && !isKept(test)) envOf(test).call("DELETE", "/_mock/environments/current", "");
    }
}
