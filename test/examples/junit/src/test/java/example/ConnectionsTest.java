package example;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.parallel.ExecutionMode.CONCURRENT;

import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;

@ExtendWith(MockExtension.class)
@Execution(CONCURRENT)
class ConnectionsTest {
    @Test
    void theNextListFailsOnce(Env env) {
        String fault = "{ \"operation\": \"listConnections\", \"status\": 504, \"times\": 1 }";
        assertEquals(201, env.call("POST", "/_mock/environments/current/faults", fault).statusCode());
        assertEquals(504, env.call("GET", "/api/v1/connections", "").statusCode());
        assertEquals(200, env.call("GET", "/api/v1/connections", "").statusCode());
    }

    @RepeatedTest(8)
    void testsAtTheSameTimeDoNotMeet(Env env) {
        String account = "{ \"connector\": \"mail\", \"identifier\": \"you@acme.test\" }"; // a second one would be a 409
        assertEquals(201, env.call("POST", "/api/v1/connected_accounts", account).statusCode());
    }
}
