# orcs: 'make help' lists the targets. Objects live under build/, one folder per kind of build.

PREFIX  ?= /usr/local
DESTDIR ?=
CC      ?= cc
MPICC   ?= mpicc
NP      ?= 2

# ---- kinds of build: make, make DEBUG=1, make SAN=1
KIND := plain
OPT  := -O3
ifdef DEBUG
KIND := debug
OPT  := -Og -g3
endif
ifdef SAN
KIND := san
OPT  := -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
endif
BUILD := build/$(KIND)

FOLDERS  := orcs patterns metrics engines formats
WARNINGS := -Wall -Wextra -Werror
CPPFLAGS += -D_GNU_SOURCE $(FOLDERS:%=-I%) $(shell pkg-config --cflags libcgraph libcjson 2>/dev/null) -MMD -MP
CFLAGS   += -std=c17 $(OPT) $(WARNINGS)
LDLIBS   += $(shell pkg-config --libs libcgraph libcjson zlib liblzma libzstd 2>/dev/null) -lm
MPI_CFLAGS := $(shell pkg-config --cflags ompi-c 2>/dev/null)
MPI_LIBS   := $(shell pkg-config --libs ompi-c 2>/dev/null)

SOURCES := $(wildcard $(FOLDERS:%=%/*.c))
OBJECTS := $(SOURCES:%.c=$(BUILD)/%.o)
# what tools and tests link: all but the main function, MPI and what is orcs's own command line
LIBRARY := $(filter-out $(BUILD)/orcs/main.o $(BUILD)/orcs/comm.o,$(OBJECTS))
TOOLS   := $(patsubst tools/%.c,%,$(wildcard tools/*.c))
PROGRAMS := orcs $(TOOLS)

## all: build the programs (the default); DEBUG=1 for a debugger, SAN=1 with the address and undefined-behaviour sanitizers
.PHONY: all
all: $(PROGRAMS:%=build/%)

# build/NAME is the program of the last build
.PHONY: $(PROGRAMS:%=build/%)
$(PROGRAMS:%=build/%): build/%: $(BUILD)/bin/%
	@ln -sf $(KIND)/bin/$* $@

$(BUILD)/bin/orcs: $(OBJECTS)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(LDFLAGS) $^ -o $@ $(LDLIBS) $(MPI_LIBS)

$(BUILD)/liborcs.a: $(LIBRARY)
	@rm -f $@
	$(AR) rcs $@ $^

$(TOOLS:%=$(BUILD)/bin/%): $(BUILD)/bin/%: $(BUILD)/tools/%.o $(BUILD)/liborcs.a
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(LDFLAGS) $^ -o $@ $(LDLIBS)

$(BUILD)/orcs/comm.o: CPPFLAGS += $(MPI_CFLAGS)
$(BUILD)/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(CFLAGS) -c $< -o $@

-include $(OBJECTS:.o=.d) $(TOOLS:%=$(BUILD)/tools/%.d)
