// CV32E40P without its own extensions: both ports are granted at once and answered one cycle later.
module top(input clk);
    wire reset, fetch, data, write;
    wire [31:0] fetch_address, fetch_data, data_address, data_given, data_found;
    wire [3:0] strobes;
    reg fetched, answered;

    always @(posedge clk) begin
        fetched <= fetch && !reset;
        answered <= data && !reset;
    end

    jobs jobs(
        .clk(clk), .reset(reset), .fetch_address(fetch_address), .fetch_data(fetch_data),
        .data_address(data_address), .data_write(data && write ? strobes : 4'd0), .data_given(data_given),
        .data_found(data_found)
    );

    cv32e40p_top core(
        .clk_i(clk), .rst_ni(!reset), .pulp_clock_en_i(1'b1), .scan_cg_en_i(1'b0), .boot_addr_i(32'h80),
        .mtvec_addr_i(32'd0), .dm_halt_addr_i(32'd0), .hart_id_i(32'd0), .dm_exception_addr_i(32'd0),
        .instr_req_o(fetch), .instr_gnt_i(1'b1), .instr_rvalid_i(fetched), .instr_addr_o(fetch_address),
        .instr_rdata_i(fetch_data), .data_req_o(data), .data_gnt_i(1'b1), .data_rvalid_i(answered),
        .data_we_o(write), .data_be_o(strobes), .data_addr_o(data_address), .data_wdata_o(data_given),
        .data_rdata_i(data_found), .irq_i(32'd0), .debug_req_i(1'b0), .fetch_enable_i(1'b1)
    );
endmodule
