// The memory of a core and the jobs that it is to run, one after the other, for iverilog and Verilator.
//
// +jobs=FILE holds numbers in hexadecimal, separated by blanks. A job:
//
//     limit     most cycles
//     count, count times (address, words, the words)    what to write into memory
//     count, count times (address, words)               what to give back
//
// Before each job the core is reset; it starts at 0x80. It marks with stores: to 0xfffffff0 where the time that counts
// begins and where it ends, to 0xfffffff4 when all that is to be given back lies in memory. The core runs the job RUNS
// times without a reset: memory is that of the first time, the time that of the last. A line of the answer: the words; 0,
// or 1 when the limit was reached; cycles.
//
// 64 Ki words of memory from address 0 on; what is asked for at a clock is there at the next.
module jobs #(parameter RUNS = 1) (
    input clk,
    output reg reset,
    input [31:0] fetch_address,
    output reg [31:0] fetch_data,
    input [31:0] data_address,
    input [3:0] data_write,
    input [31:0] data_given,
    output reg [31:0] data_found
);
    reg [31:0] memory [0:65535];
    reg [31:0] watched [0:255], lengths [0:255];
    reg [8*1024-1:0] name;
    reg [31:0] number, address, count, words, limit, watches;
    integer file, i, j, runs, wait_cycles, found;
    reg [31:0] cycle, begun, taken;
    reg started;

    task next;
        begin
            found = $fscanf(file, "%h", number);
            if (found != 1) $finish(0);
        end
    endtask

    task load;
        begin
            next; limit = number;
            next; count = number;
            for (i = 0; i < count; i = i + 1) begin
                next; address = number >> 2;
                next; words = number;
                for (j = 0; j < words; j = j + 1) begin
                    next; memory[(address + j) & 65535] = number;
                end
            end
            next; watches = number;
            for (i = 0; i < watches; i = i + 1) begin
                next; watched[i & 255] = number >> 2;
                next; lengths[i & 255] = number;
            end
        end
    endtask

    task answer;
        begin
            for (i = 0; i < watches; i = i + 1)
                for (j = 0; j < lengths[i & 255]; j = j + 1)
                    $write("%0h ", memory[(watched[i & 255] + j) & 65535]);
        end
    endtask

    initial begin
        reset = 1;
        wait_cycles = 0;
        for (i = 0; i < 65536; i = i + 1) memory[i] = 0;
        file = 0;
    end

    always @(posedge clk) begin
        cycle = cycle + 1;
        fetch_data <= memory[fetch_address[17:2]];
        data_found <= memory[data_address[17:2]];
        if (reset) begin
            if (file == 0) begin
                if (!$value$plusargs("jobs=%s", name)) $finish(0);
                file = $fopen(name, "r");
            end
            if (wait_cycles == 0) begin
                load;
                runs = 0;
                started = 0;
                cycle = 0;
                taken = 0;
            end
            wait_cycles = wait_cycles + 1;
            if (wait_cycles == 8) reset <= 0;
        end else if (data_write != 0 && data_address == 32'hfffffff0) begin
            if (started) taken = cycle - begun;
            begun = cycle;
            started = !started;
        end else if (data_write != 0 && data_address == 32'hfffffff4 || cycle > limit) begin
            runs = runs + 1;
            if (runs == 1) answer;
            if (runs == RUNS || cycle > limit) begin
                $write("%0d %0h\n", cycle > limit, taken);
                reset <= 1;
                wait_cycles = 0;
            end
        end else begin
            if (data_write[0]) memory[data_address[17:2]][7:0] = data_given[7:0];
            if (data_write[1]) memory[data_address[17:2]][15:8] = data_given[15:8];
            if (data_write[2]) memory[data_address[17:2]][23:16] = data_given[23:16];
            if (data_write[3]) memory[data_address[17:2]][31:24] = data_given[31:24];
        end
    end
endmodule
