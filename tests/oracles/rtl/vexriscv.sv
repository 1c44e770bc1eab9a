// VexRiscv, full configuration, between two Wishbone buses whose memory answers one cycle after it is asked, and takes what
// is stored at once.
module top(input clk);
    wire reset;

    wire fetch_strobe, fetch_cycle, data_strobe, data_cycle, data_enable;
    wire [29:0] fetch_address, data_address;
    wire [31:0] fetch_data, data_given, data_found;
    wire [3:0] selected;
    reg fetch_done, data_read;
    wire data_written = data_strobe && data_cycle && data_enable;

    always @(posedge clk) begin
        fetch_done <= fetch_strobe && fetch_cycle && !fetch_done && !reset;
        data_read <= data_strobe && data_cycle && !data_enable && !data_read && !reset;
    end

    // a job runs twice, so that the caches are warm
    jobs #(.RUNS(2)) jobs(
        .clk(clk), .reset(reset), .fetch_address({fetch_address, 2'd0}), .fetch_data(fetch_data),
        .data_address({data_address, 2'd0}),
        .data_write(data_written ? selected : 4'd0),
        .data_given(data_given), .data_found(data_found)
    );

    VexRiscv core(
        .externalResetVector(32'h80), .timerInterrupt(1'b0), .softwareInterrupt(1'b0), .externalInterruptArray(32'd0),
        .iBusWishbone_CYC(fetch_cycle), .iBusWishbone_STB(fetch_strobe), .iBusWishbone_ACK(fetch_done),
        .iBusWishbone_ADR(fetch_address), .iBusWishbone_DAT_MISO(fetch_data), .iBusWishbone_ERR(1'b0),
        .dBusWishbone_CYC(data_cycle), .dBusWishbone_STB(data_strobe), .dBusWishbone_ACK(data_written || data_read),
        .dBusWishbone_WE(data_enable), .dBusWishbone_ADR(data_address), .dBusWishbone_DAT_MISO(data_found),
        .dBusWishbone_DAT_MOSI(data_given), .dBusWishbone_SEL(selected), .dBusWishbone_ERR(1'b0),
        .clk(clk), .reset(reset)
    );
endmodule
