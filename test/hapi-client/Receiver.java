/** A server on this machine that gets notifications. It fails the first one, so that it comes again. */

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

final class Receiver implements AutoCloseable {
  record Notification(Headers headers, byte[] body) {
    String header(String name) {
      return headers.getFirst(name);
    }

    String text() {
      return new String(body, StandardCharsets.UTF_8);
    }

    /** Whether a holder of the secret has signed the body and the time. */
    boolean isSignedWith(String secret) throws Exception {
      String signature = header("Gazetteer-Signature");
      String time = signature.replaceFirst("^t=(\\d+),.*$", "$1");
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
      mac.update((time + ".").getBytes(StandardCharsets.UTF_8));
      return signature.equals("t=" + time + ",v1=" + HexFormat.of().formatHex(mac.doFinal(body)));
    }
  }

  /** More than a busy machine needs. */
  private static final int SECONDS_MAX = 60;

  private final HttpServer server;
  private final BlockingQueue<Notification> received = new LinkedBlockingQueue<>();
  private boolean hasFailed = false;

  Receiver() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::receive);
    server.start();
  }

  String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort() + "/outcomes";
  }

  Notification next() throws InterruptedException {
    Notification next = received.poll(SECONDS_MAX, TimeUnit.SECONDS);
    Checks.holds(next != null, "no notification came");
    return next;
  }

  @Override
  public void close() {
    server.stop(0);
  }

  private void receive(HttpExchange exchange) throws IOException {
    byte[] body = exchange.getRequestBody().readAllBytes();
    received.add(new Notification(exchange.getRequestHeaders(), body));
    exchange.sendResponseHeaders(hasFailed ? 204 : 500, -1);
    hasFailed = true;
    exchange.close();
  }
}
