import ca.uhn.fhir.context.FhirContext;
import ca.uhn.fhir.context.FhirVersionEnum;
import ca.uhn.fhir.jpa.api.config.JpaStorageSettings;
import ca.uhn.fhir.jpa.api.dao.IFhirSystemDao;
import ca.uhn.fhir.jpa.config.JpaDstu2Config;
import ca.uhn.fhir.jpa.config.dstu3.JpaDstu3Config;
import ca.uhn.fhir.jpa.migrate.DriverTypeEnum;
import ca.uhn.fhir.jpa.migrate.HapiMigrationStorageSvc;
import ca.uhn.fhir.jpa.migrate.MigrationTaskList;
import ca.uhn.fhir.jpa.migrate.SchemaMigrator;
import ca.uhn.fhir.jpa.migrate.dao.HapiMigrationDao;
import ca.uhn.fhir.jpa.migrate.tasks.HapiFhirJpaMigrationTasks;
import ca.uhn.fhir.jpa.provider.JpaSystemProvider;
import ca.uhn.fhir.jpa.search.DatabaseBackedPagingProvider;
import ca.uhn.fhir.model.api.IResource;
import ca.uhn.fhir.rest.server.RestfulServer;
import ca.uhn.fhir.rest.server.provider.ResourceProviderFactory;
import ca.uhn.fhir.util.VersionEnum;
import java.util.Properties;
import java.util.Set;
import javax.sql.DataSource;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.ee10.servlet.ServletHolder;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;

/**
 * A HAPI FHIR JPA server for a benchmark: the schema of its own migrator in an empty PostgreSQL
 * database, and its REST interface on Jetty. Arguments: dstu2 or stu3, and the JDBC URL of the
 * database. Prints "listening PORT" on standard output.
 */
public final class HapiServer {
  public static void main(String[] words) throws Exception {
    boolean isDstu2 = words[0].equals("dstu2");
    DataSource dataSource = HapiConfig.openPool(words[1]);
    migrate(dataSource);
    var context = new AnnotationConfigApplicationContext();
    context.registerBean("dataSource", DataSource.class, () -> dataSource);
    context.register(isDstu2 ? JpaDstu2Config.class : JpaDstu3Config.class, HapiConfig.class);
    context.refresh();

    Server server = new Server();
    ServerConnector connector = new ServerConnector(server);
    connector.setHost("127.0.0.1");
    server.addConnector(connector);
    var handler = new ServletContextHandler("/");
    String version = isDstu2 ? "Dstu2" : "Dstu3";
    handler.addServlet(new ServletHolder(restfulServer(context, version)), "/*");
    server.setHandler(handler);
    server.start();
    System.out.println("listening " + connector.getLocalPort());
    server.join();
  }

  /** Creates the schema like `hapi-fhir-cli migrate-database`, with all indexes of PostgreSQL. */
  private static void migrate(DataSource dataSource) {
    String table = SchemaMigrator.HAPI_FHIR_MIGRATION_TABLENAME;
    var tasks = new HapiFhirJpaMigrationTasks(Set.of()).getAllTasks(VersionEnum.values());
    var storage =
        new HapiMigrationStorageSvc(
            new HapiMigrationDao(dataSource, DriverTypeEnum.POSTGRES_9_4, table));
    storage.createMigrationTableIfRequired();
    var migrator =
        new SchemaMigrator(
            "HAPI FHIR", table, dataSource, new Properties(), tasks, storage);
    migrator.setDriverType(DriverTypeEnum.POSTGRES_9_4);
    migrator.migrate();
  }

  private static RestfulServer restfulServer(
      AnnotationConfigApplicationContext context, String version) {
    RestfulServer server = new RestfulServer(context.getBean(FhirContext.class));
    server.registerProviders(
        context
            .getBean("myResourceProviders" + version, ResourceProviderFactory.class)
            .createProviders());
    server.registerProvider(context.getBean(JpaSystemProvider.class));
    server.setPagingProvider(context.getBean(DatabaseBackedPagingProvider.class));
    server.setDefaultPageSize(HapiConfig.PAGE_SIZE);
    server.setMaximumPageSize(HapiConfig.PAGE_SIZE_MAX);
    return server;
  }
}
