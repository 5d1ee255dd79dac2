import ca.uhn.fhir.batch2.jobs.config.Batch2JobsConfig;
import ca.uhn.fhir.context.FhirContext;
import ca.uhn.fhir.jpa.api.config.JpaStorageSettings;
import ca.uhn.fhir.jpa.batch2.JpaBatch2Config;
import ca.uhn.fhir.jpa.config.HapiJpaConfig;
import ca.uhn.fhir.jpa.api.config.ThreadPoolFactoryConfig;
import ca.uhn.fhir.jpa.config.util.HapiEntityManagerFactoryUtil;
import ca.uhn.fhir.jpa.model.config.PartitionSettings;
import ca.uhn.fhir.jpa.model.config.SubscriptionSettings;
import ca.uhn.fhir.jpa.model.dialect.HapiFhirPostgresDialect;
import ca.uhn.fhir.jpa.model.entity.StorageSettings;
import ca.uhn.fhir.jpa.searchparam.config.NicknameServiceConfig;
import ca.uhn.fhir.jpa.searchparam.submit.config.SearchParamSubmitterConfig;
import ca.uhn.fhir.jpa.subscription.channel.config.SubscriptionChannelConfig;
import ca.uhn.fhir.jpa.subscription.submit.config.SubscriptionSubmitterConfig;
import com.zaxxer.hikari.HikariDataSource;
import jakarta.persistence.EntityManagerFactory;
import java.util.Properties;
import javax.sql.DataSource;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Primary;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.orm.jpa.LocalContainerEntityManagerFactoryBean;

/** The parts of a HAPI FHIR JPA server that are the same for every FHIR version. */
@Configuration
@Import({
  HapiJpaConfig.class,
  JpaBatch2Config.class,
  Batch2JobsConfig.class,
  SearchParamSubmitterConfig.class,
  SubscriptionSubmitterConfig.class,
  SubscriptionChannelConfig.class,
  NicknameServiceConfig.class,
  ThreadPoolFactoryConfig.class
})
public class HapiConfig {
  static final int PAGE_SIZE = 20;
  static final int PAGE_SIZE_MAX = 1000;

  /** More connections than threads that work at the same time. */
  private static final int POOL_SIZE = 40;

  static DataSource openPool(String url) {
    HikariDataSource pool = new HikariDataSource();
    pool.setJdbcUrl(url);
    pool.setUsername("postgres");
    pool.setMaximumPoolSize(POOL_SIZE);
    return pool;
  }

  /**
   * The defaults, except: organisation codes may be numbers, and a reference may name a resource
   * that is loaded later.
   */
  @Bean
  public JpaStorageSettings storageSettings() {
    JpaStorageSettings settings = new JpaStorageSettings();
    settings.setResourceClientIdStrategy(JpaStorageSettings.ClientIdStrategyEnum.ANY);
    settings.setResourceServerIdStrategy(JpaStorageSettings.IdStrategyEnum.UUID);
    settings.setEnforceReferentialIntegrityOnWrite(false);
    settings.setAllowContainsSearches(true);
    settings.setMatchUrlCacheEnabled(true);
    return settings;
  }

  @Bean
  public PartitionSettings partitionSettings() {
    return new PartitionSettings();
  }

  @Bean
  public SubscriptionSettings subscriptionSettings() {
    return new SubscriptionSettings();
  }

  @Bean
  public LocalContainerEntityManagerFactoryBean entityManagerFactory(
      ConfigurableListableBeanFactory beans,
      FhirContext context,
      JpaStorageSettings settings,
      DataSource dataSource) {
    var factory = HapiEntityManagerFactoryUtil.newEntityManagerFactory(beans, context, settings);
    factory.setPersistenceUnitName("HAPI_PU");
    factory.setDataSource(dataSource);
    factory.setJpaProperties(hibernateProperties());
    return factory;
  }

  /** The same values as in the starter project of HAPI FHIR. */
  private static Properties hibernateProperties() {
    Properties properties = new Properties();
    properties.put("hibernate.dialect", HapiFhirPostgresDialect.class.getName());
    properties.put("hibernate.hbm2ddl.auto", "none");
    properties.put("hibernate.format_sql", "false");
    properties.put("hibernate.show_sql", "false");
    properties.put("hibernate.jdbc.batch_size", "20");
    properties.put("hibernate.order_inserts", "true");
    properties.put("hibernate.order_updates", "true");
    properties.put("hibernate.cache.use_query_cache", "false");
    properties.put("hibernate.cache.use_second_level_cache", "false");
    properties.put("hibernate.cache.use_structured_entries", "false");
    properties.put("hibernate.cache.use_minimal_puts", "false");
    properties.put("hibernate.search.enabled", "false");
    return properties;
  }

  @Bean
  @Primary
  public JpaTransactionManager transactionManager(EntityManagerFactory factory) {
    return new JpaTransactionManager(factory);
  }
}
