import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.KafkaShareConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** Groups of the classic, consumer and share protocols; in the first two, two producers commit one position in turn. */
public class Groups {
    static final TopicPartition CLICKS = new TopicPartition("clicks", 0);
    static String bootstrap;

    public static void main(String[] arguments) throws Exception {
        bootstrap = arguments[0];
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrap))) {
            admin.createTopics(List.of(new NewTopic("clicks", 1, (short) 1))).all().get();
            ConfigResource group = new ConfigResource(ConfigResource.Type.GROUP, "share-g");
            admin.incrementalAlterConfigs(Map.of(group, List.of(
                new AlterConfigOp(new ConfigEntry("share.isolation.level", "read_committed"), AlterConfigOp.OpType.SET),
                new AlterConfigOp(new ConfigEntry("share.auto.offset.reset", "earliest"), AlterConfigOp.OpType.SET)
            ))).all().get();
        }
        try (KafkaProducer<String, String> plain = producer(null)) {
            for (int i = 0; i < 10; i++) plain.send(new ProducerRecord<>("clicks", "k" + i, "v" + i)).get();
        }
        for (String protocol : List.of("classic", "consumer")) inTurn(protocol);
        share();
        KafkaProducer<String, String> open = producer("open-1");
        open.initTransactions();
        open.beginTransaction();
        open.send(new ProducerRecord<>("clicks", "k", "open")).get();
        System.out.println("done");
        System.out.flush();
        Runtime.getRuntime().halt(0);
    }

    static KafkaProducer<String, String> producer(String id) {
        Map<String, Object> settings = new HashMap<>(Map.of("bootstrap.servers", bootstrap));
        if (id != null) settings.putAll(Map.of("transactional.id", id, "transaction.timeout.ms", 600000));
        return new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer());
    }

    static void inTurn(String protocol) throws Exception {
        String group = protocol + "-g";
        Map<String, Object> settings = Map.of("bootstrap.servers", bootstrap, "group.id", group, "group.protocol", protocol,
            "auto.offset.reset", "earliest", "enable.auto.commit", "false");
        try (KafkaConsumer<String, String> member = new KafkaConsumer<>(settings, new StringDeserializer(), new StringDeserializer());
             KafkaProducer<String, String> one = producer(group + "-one"); KafkaProducer<String, String> two = producer(group + "-two")) {
            member.subscribe(List.of("clicks"));
            while (member.poll(Duration.ofSeconds(1)).isEmpty()) { }
            one.initTransactions();
            two.initTransactions();
            for (int turn = 0; turn < 8; turn++) {
                KafkaProducer<String, String> writer = turn % 2 == 0 ? one : two;
                writer.beginTransaction();
                writer.sendOffsetsToTransaction(Map.of(CLICKS, new OffsetAndMetadata(turn + 3)), new ConsumerGroupMetadata(group));
                writer.commitTransaction();
            }
            // the open transaction below will hold it up
            Map<TopicPartition, OffsetAndMetadata> end = Map.of(CLICKS, new OffsetAndMetadata(10));
            one.beginTransaction();
            one.sendOffsetsToTransaction(end, new ConsumerGroupMetadata(group));
            one.commitTransaction();
        }
    }

    static void share() {
        Map<String, Object> settings = Map.of("bootstrap.servers", bootstrap, "group.id", "share-g");
        try (KafkaShareConsumer<String, String> member = new KafkaShareConsumer<>(settings, new StringDeserializer(), new StringDeserializer())) {
            member.subscribe(List.of("clicks"));
            for (int i = 0; i < 20 && member.poll(Duration.ofSeconds(1)).isEmpty(); i++) { }
            member.commitSync();
        }
    }
}
