/** Runs checks one after the other, and prints a JSON line with the outcome of each. */

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

final class Checks {
  interface Check {
    void run() throws Exception;
  }

  private final ObjectMapper json = new ObjectMapper();

  /** A problem has a stack, and does not prevent the checks that follow. */
  void check(String name, Check check) throws Exception {
    Map<String, String> outcome = new HashMap<>();
    outcome.put("name", name);
    try {
      check.run();
    } catch (Throwable problem) {
      StringWriter text = new StringWriter();
      problem.printStackTrace(new PrintWriter(text));
      outcome.put("problem", text.toString());
    }
    System.out.println(json.writeValueAsString(outcome));
  }

  static void equal(Object actual, Object expected) {
    if (!Objects.equals(actual, expected)) {
      throw new AssertionError("Expected " + expected + ", got " + actual);
    }
  }

  static void holds(boolean condition, Object about) {
    if (!condition) {
      throw new AssertionError(String.valueOf(about));
    }
  }

  static <Problem extends Throwable> Problem throwing(Class<Problem> type, Check check)
      throws Exception {
    try {
      check.run();
    } catch (Throwable problem) {
      if (type.isInstance(problem)) {
        return type.cast(problem);
      }
      throw new AssertionError("Expected " + type.getSimpleName(), problem);
    }
    throw new AssertionError("Expected " + type.getSimpleName() + ", got an answer");
  }
}
