// PicoRV32 at its look-ahead port: memory answers at once, as the core's table of cycles per instruction assumes.
module top #(parameter FAST = 1);
    reg clk = 0;
    wire reset, trap, read, write;
    wire [31:0] address, given, found;
    wire [3:0] strobes;
    always #1 clk = !clk;

    jobs jobs(
        .clk(clk), .reset(reset), .fetch_address(32'd0), .data_address(address),
        .data_write(write ? strobes : 4'd0), .data_given(given), .data_found(found)
    );

    picorv32 #(
        .BARREL_SHIFTER(1), .COMPRESSED_ISA(1), .ENABLE_MUL(!FAST), .ENABLE_FAST_MUL(FAST), .ENABLE_DIV(1),
        .PROGADDR_RESET(32'h80)
    ) core(
        .clk(clk), .resetn(!reset), .trap(trap), .mem_ready(1'b1), .mem_rdata(found), .mem_la_read(read),
        .mem_la_write(write), .mem_la_addr(address), .mem_la_wdata(given), .mem_la_wstrb(strobes),
        .pcpi_wr(1'b0), .pcpi_rd(32'd0), .pcpi_wait(1'b0), .pcpi_ready(1'b0), .irq(32'd0)
    );
endmodule
