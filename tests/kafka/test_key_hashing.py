"""Keys to partitions as the Java client and librdkafka compute them."""

import json

from analyzer.kafka.key_hashing import key_crc32, key_murmur2, key_murmur2_of, murmur2


def test_murmur2_is_that_of_the_java_client(lab):
    vectors = json.loads((lab / "vectors" / "murmur2_vectors.json").read_text())
    assert len(vectors) > 50
    for key, expected in vectors.items():
        told = bytes.fromhex(key)
        assert murmur2(told) == expected["murmur2"], key
        for count, partition in expected.items():
            if count.isdigit():
                assert key_murmur2(told) % int(count) == partition, (key, count)


def test_crc32_is_unsigned():
    assert key_crc32(b"123456789") == 0xCBF43926
    assert key_crc32(b"") == 0


def test_many_keys_at_once_have_the_same_hashes(lab):
    """Few keys of some lengths, many of others: the empty key, every remainder of four, bytes above 127."""
    vectors = json.loads((lab / "vectors" / "murmur2_vectors.json").read_text())
    many = [bytes([200 + length]) * length + b"%d" % number for length in range(6) for number in range(100)]
    keys = [*map(bytes.fromhex, vectors), *many, b"", b""]
    assert key_murmur2_of(keys).tolist() == [key_murmur2(key) for key in keys]
    assert key_murmur2_of([]).tolist() == []
