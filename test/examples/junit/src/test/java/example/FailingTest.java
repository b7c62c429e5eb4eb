package example;

import static org.junit.jupiter.api.Assertions.fail;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(MockExtension.class)
class FailingTest {
    @Test
    @EnabledIfEnvironmentVariable(named = "FAILS", matches = "1")
    void saysWhereToLook(Env env) {
        fail("It failed.");
    }
}
