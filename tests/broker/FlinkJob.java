import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Properties;
import java.util.function.BiFunction;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.serialization.SimpleStringSchema;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.connector.source.util.ratelimit.RateLimiterStrategy;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ReadableConfig;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.apache.flink.connector.datagen.source.DataGeneratorSource;
import org.apache.flink.connector.kafka.sink.KafkaRecordSerializationSchema;
import org.apache.flink.connector.kafka.sink.KafkaSink;
import org.apache.flink.runtime.state.CheckpointMetadataOutputStream;
import org.apache.flink.runtime.state.CheckpointStorageAccess;
import org.apache.flink.runtime.state.CheckpointStorageLocation;
import org.apache.flink.runtime.state.CompletedCheckpointStorageLocation;
import org.apache.flink.runtime.state.storage.FileSystemCheckpointStorage;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** Writes numbers through a KafkaSink, exactly once, until it is killed or ends itself at a checkpoint. */
public class FlinkJob {
    private static final int PER_SECOND = 20;

    /** Keeps checkpoints in files, and ends the process once one of them is complete there: nobody is told of it. */
    static class EndsAt extends FileSystemCheckpointStorage {
        private final long checkpoint;

        EndsAt(String folder, long checkpoint) {
            super(folder);
            this.checkpoint = checkpoint;
        }

        @Override
        public FileSystemCheckpointStorage configure(ReadableConfig settings, ClassLoader loader) {
            return this;
        }

        @Override
        public CheckpointStorageAccess createCheckpointStorage(JobID job) throws IOException {
            CheckpointStorageAccess files = super.createCheckpointStorage(job);
            return instead(CheckpointStorageAccess.class, files, "initializeLocationForCheckpoint", (place, id) ->
                (Long) id != checkpoint ? place : instead(CheckpointStorageLocation.class, place,
                    "createMetadataOutputStream", (out, none) -> new Last((CheckpointMetadataOutputStream) out)));
        }

        /** Return an object that passes every call on, and one method's result through a function of its argument. */
        private static <T> T instead(Class<T> type, Object behind, String name, BiFunction<Object, Object, Object> of) {
            return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (self, called, given) -> {
                try {
                    Object result = called.invoke(behind, given);
                    return called.getName().equals(name) ? of.apply(result, given == null ? null : given[0]) : result;
                } catch (InvocationTargetException failed) {
                    throw failed.getCause();
                }
            }));
        }
    }

    /** The file that makes a checkpoint complete: when it is closed, the process ends. */
    static class Last extends CheckpointMetadataOutputStream {
        private final CheckpointMetadataOutputStream file;

        Last(CheckpointMetadataOutputStream file) {
            this.file = file;
        }

        @Override
        public CompletedCheckpointStorageLocation closeAndFinalizeCheckpoint() throws IOException {
            file.closeAndFinalizeCheckpoint();
            Runtime.getRuntime().halt(9);
            throw new IllegalStateException("the process goes on");
        }

        @Override
        public void write(int one) throws IOException {
            file.write(one);
        }

        @Override
        public void write(byte[] bytes, int from, int number) throws IOException {
            file.write(bytes, from, number);
        }

        @Override
        public long getPos() throws IOException {
            return file.getPos();
        }

        @Override
        public void flush() throws IOException {
            file.flush();
        }

        @Override
        public void sync() throws IOException {
            file.sync();
        }

        @Override
        public void close() throws IOException {
            file.close();
        }
    }

    /** Arguments: bootstrap server, prefix, topic, folder of checkpoints, checkpoint to start from or -, to end at. */
    public static void main(String[] given) throws Exception {
        Configuration settings = new Configuration();
        settings.setString("execution.checkpointing.interval", "6s");
        settings.setString("execution.checkpointing.externalized-checkpoint-retention", "RETAIN_ON_CANCELLATION");
        settings.setString("execution.checkpointing.num-retained", "5");
        settings.setString("taskmanager.memory.network.min", "16m");
        settings.setString("taskmanager.memory.network.max", "16m");
        settings.setString("taskmanager.memory.managed.size", "16m");
        if (!given[4].equals("-")) {
            settings.setString("execution.state-recovery.path", "file://" + given[4]);
        }
        StreamExecutionEnvironment job = StreamExecutionEnvironment.getExecutionEnvironment(settings);
        job.setParallelism(1);
        job.getCheckpointConfig().setCheckpointStorage(new EndsAt("file://" + given[3], Long.parseLong(given[5])));
        DataGeneratorSource<String> numbers = new DataGeneratorSource<>(
            String::valueOf, Long.MAX_VALUE, RateLimiterStrategy.perSecond(PER_SECOND), Types.STRING);
        Properties producer = new Properties();
        producer.put("transaction.timeout.ms", "600000");
        KafkaSink<String> sink = KafkaSink.<String>builder()
            .setBootstrapServers(given[0])
            .setKafkaProducerConfig(producer)
            .setDeliveryGuarantee(DeliveryGuarantee.EXACTLY_ONCE)
            .setTransactionalIdPrefix(given[1])
            .setRecordSerializer(KafkaRecordSerializationSchema.<String>builder()
                .setTopic(given[2])
                .setValueSerializationSchema(new SimpleStringSchema())
                .build())
            .build();
        job.fromSource(numbers, WatermarkStrategy.noWatermarks(), "numbers").uid("numbers")
            .sinkTo(sink).uid("sink");
        job.execute(given[1]);
    }
}
