"""Writes the rows of an Arrow IPC stream to Parquet n times, and prints the CPU
seconds of the process that the writing took, and the size of a file."""
import io, sys, time
import pyarrow as pa, pyarrow.ipc as ipc, pyarrow.parquet as pq

path, n, dictionary = sys.argv[1], int(sys.argv[2]), sys.argv[3]
pa.set_cpu_count(1)
with open(path, "rb") as f:
    table = ipc.open_stream(f).read_all()
use = True if dictionary == "all" else dictionary.split(",")

def write():
    out = io.BytesIO()
    pq.write_table(table, out, compression="zstd", use_dictionary=use)
    return out.tell()

write()
begin = time.process_time()
for _ in range(n):
    size = write()
print(time.process_time() - begin, size)
