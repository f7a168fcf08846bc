switch 0,0,0 GUID 0x200000 (s0_0_0)
switch 0,1,3 GUID 0x200007 (s0_1_3)
