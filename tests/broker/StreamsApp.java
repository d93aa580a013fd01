import java.time.Duration;
import java.util.Properties;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.kstream.KStream;

/** Counts the records of a topic by key under exactly_once_v2, until it is killed. */
public class StreamsApp {
    /** Arguments: bootstrap server, application id, state directory, input, output, transaction timeout in ms. */
    public static void main(String[] given) throws Exception {
        Properties settings = new Properties();
        settings.put("bootstrap.servers", given[0]);
        settings.put("application.id", given[1]);
        settings.put("state.dir", given[2]);
        settings.put("processing.guarantee", "exactly_once_v2");
        settings.put("commit.interval.ms", "15000");
        settings.put("statestore.cache.max.bytes", "0");
        settings.put("replication.factor", "1");
        settings.put("default.key.serde", Serdes.StringSerde.class.getName());
        settings.put("default.value.serde", Serdes.StringSerde.class.getName());
        settings.put("producer.transaction.timeout.ms", given[5]);
        settings.put("main.consumer.session.timeout.ms", "6000");
        settings.put("main.consumer.heartbeat.interval.ms", "1000");
        settings.put("main.consumer.auto.offset.reset", "earliest");
        StreamsBuilder builder = new StreamsBuilder();
        KStream<String, String> read = builder.stream(given[3]);
        read.groupByKey().count().toStream().mapValues(String::valueOf).to(given[4]);
        KafkaStreams streams = new KafkaStreams(builder.build(), settings);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> streams.close(Duration.ofSeconds(20))));
        streams.start();
        Thread.currentThread().join();
    }
}
