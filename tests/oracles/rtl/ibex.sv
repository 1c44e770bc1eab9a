// Ibex without caches: both ports are granted at once and answered one cycle later.
module top import ibex_pkg::*; #(parameter M = 3, parameter MAX = 0, parameter B = 0) (input clk);
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

    ibex_top #(
        .RV32M(rv32m_e'(M)), .RV32B(rv32b_e'(B)), .BranchTargetALU(MAX), .WritebackStage(MAX)
    ) core(
        .clk_i(clk), .rst_ni(!reset), .test_en_i(1'b0), .ram_cfg_i('0), .hart_id_i(32'd0), .boot_addr_i(32'd0),
        .instr_req_o(fetch), .instr_gnt_i(1'b1), .instr_rvalid_i(fetched), .instr_addr_o(fetch_address),
        .instr_rdata_i(fetch_data), .instr_rdata_intg_i(7'd0), .instr_err_i(1'b0),
        .data_req_o(data), .data_gnt_i(1'b1), .data_rvalid_i(answered), .data_we_o(write), .data_be_o(strobes),
        .data_addr_o(data_address), .data_wdata_o(data_given), .data_rdata_i(data_found), .data_rdata_intg_i(7'd0),
        .data_err_i(1'b0), .irq_software_i(1'b0), .irq_timer_i(1'b0), .irq_external_i(1'b0), .irq_fast_i(15'd0),
        .irq_nm_i(1'b0), .scramble_key_valid_i(1'b0), .scramble_key_i('0), .scramble_nonce_i('0),
        .debug_req_i(1'b0), .fetch_enable_i(IbexMuBiOn), .scan_rst_ni(1'b1)
    );
endmodule
