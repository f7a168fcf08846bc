# orcs: 'make help' lists the targets. Objects live under build/, one folder per kind of build.

PREFIX  ?= /usr/local
DESTDIR ?=
CC      ?= cc
PYTHON  ?= python3
NP      ?= 2

# make V=1 shows the whole commands
Q := $(if $(V),,@)

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
# the objects are those of the programs and of the library
OPT  += -fPIC -fvisibility=hidden
BUILD := build/$(KIND)

# from the ground up: a folder includes itself and those before it
FOLDERS  := base cli topologies fabric shapes routings routings/opensm formats infiniband patterns patterns/pairs patterns/graphs patterns/graphs/replay patterns/graphs/traces patterns/open scheduling engines/packet/routing engines/packet/control \
	engines $(patsubst %/,%,$(wildcard engines/*/)) metrics parallel orcs compare jobs pictures
# what only some of the tools need
TOOLING  := tools/report tools/draw tools/check tools/bound tools/compare tools/trace tools/advise tools/order tools/jobs tools/record
WARNINGS := -Wall -Wextra -Werror
CPPFLAGS += -D_GNU_SOURCE -I. $(shell pkg-config --cflags libcgraph libcjson 2>/dev/null) -MMD -MP
CFLAGS   += -std=c17 $(OPT) $(WARNINGS)
LDLIBS   += $(shell pkg-config --libs libcgraph zlib liblzma libzstd libcjson 2>/dev/null) $(METIS_LIBS) -lm
# partitions of a fabric, where METIS is installed (it has no .pc file)
ifneq ($(if $(WITHOUT_METIS),,$(shell printf '\#include <metis.h>\n' | $(CC) $(filter -I%,$(CPPFLAGS)) -E - >/dev/null 2>&1 && echo yes)),)
METIS_CFLAGS := -DHAVE_METIS
METIS_LIBS   := -lmetis
endif
# traces of OTF2, where its library is installed (it has no .pc file)
ifneq ($(if $(WITHOUT_OTF2),,$(shell command -v otf2-config 2>/dev/null)),)
OTF2_CFLAGS := -DHAVE_OTF2 $(shell otf2-config --cflags)
OTF2_LIBS   := $(shell otf2-config --ldflags --libs)
LDLIBS      += $(OTF2_LIBS)
endif
MPI_CFLAGS := $(shell pkg-config --cflags ompi-c 2>/dev/null)
MPI_LIBS   := $(shell pkg-config --libs ompi-c 2>/dev/null)

SOURCES := $(filter-out parallel/comm_alone.c,$(wildcard $(FOLDERS:%=%/*.c)))
OBJECTS := $(SOURCES:%.c=$(BUILD)/%.o)
# what tools and tests link: all but the main function and MPI, and what only tools need
LIBRARY := $(filter-out $(BUILD)/orcs/main.o $(BUILD)/parallel/comm.o,$(OBJECTS)) $(patsubst %.c,$(BUILD)/%.o,$(wildcard $(TOOLING:%=%/*.c))) \
	$(BUILD)/tools/report/page_assets.o
TOOLS   := $(patsubst tools/%.c,%,$(wildcard tools/*.c))
PROGRAMS := orcs $(TOOLS)
# the tools whose processes share the work
MPI_TOOLS := orcs-compare orcs-bound orcs-advise orcs-report

## all: build the programs (the default); DEBUG=1 for a debugger, SAN=1 with the sanitizers; V=1 shows the commands
.PHONY: all
all: $(PROGRAMS:%=build/%) build/lib/liborcs.so build/lib/libumad_siblings.so recorders

# what the tools of InfiniBand need under the simulator
build/lib/libumad_siblings.so: ibsim-patches/umad_siblings.c
	$(Q:@=@echo "  LIB  $@" &&) $(MAKE) -s -C ibsim-patches

# what orcs-record loads into programs: a library for each MPI that is here, which needs nothing but the C library
MPICH_CFLAGS := $(shell pkg-config --cflags mpich 2>/dev/null)
RECORDERS    := $(if $(MPI_CFLAGS),build/lib/liborcs-record-openmpi.so) $(if $(MPICH_CFLAGS),build/lib/liborcs-record-mpich.so)
.PHONY: recorders
recorders: $(RECORDERS)
	@$(if $(MPICH_CFLAGS),:,echo "  note: MPICH is not installed (libmpich-dev): orcs-record records programs of Open MPI only")
build/lib/liborcs-record-openmpi.so: RECORDER_CFLAGS = $(MPI_CFLAGS)
build/lib/liborcs-record-mpich.so: RECORDER_CFLAGS = $(MPICH_CFLAGS)
build/lib/liborcs-record-%.so: $(wildcard tools/record/preload/*) tools/record/record_log.h
	@mkdir -p $(@D)
	$(Q:@=@echo "  LIB  $@" &&) $(CC) -std=c17 -D_GNU_SOURCE -I. $(filter -g%,$(CFLAGS)) -O3 -flto=auto $(WARNINGS) $(RECORDER_CFLAGS) -fPIC -fvisibility=hidden -shared \
		$(filter %.c,$^) -o $@ -ldl -lpthread

# build/NAME is the program of the last build
.PHONY: $(PROGRAMS:%=build/%)
$(PROGRAMS:%=build/%): build/%: $(BUILD)/bin/%
	@ln -sf $(KIND)/bin/$* $@

$(BUILD)/bin/orcs: $(OBJECTS)
	@mkdir -p $(@D)
	$(Q:@=@echo "  LINK $@" &&) $(CC) $(CFLAGS) $(LDFLAGS) $^ -o $@ $(LDLIBS) $(MPI_LIBS)

$(BUILD)/liborcs.a: $(LIBRARY)
	@rm -f $@
	$(Q:@=@echo "  AR   $@" &&) $(AR) rcs $@ $^

$(MPI_TOOLS:%=$(BUILD)/bin/%): $(BUILD)/parallel/comm.o
$(MPI_TOOLS:%=$(BUILD)/bin/%): LDLIBS += $(MPI_LIBS)
$(TOOLS:%=$(BUILD)/bin/%): $(BUILD)/bin/%: $(BUILD)/tools/%.o $(BUILD)/liborcs.a
	@mkdir -p $(@D)
	$(Q:@=@echo "  LINK $@" &&) $(CC) $(CFLAGS) $(LDFLAGS) $^ -o $@ $(LDLIBS)

# ---- the library: one process, and no symbols but those of include/orcs/orcs.h
VERSION := $(shell sed -n 's/^\#define ORCS_VERSION "\(.*\)"/\1/p' base/version.h)
# the interface: 1 with additions since 1.0, which orcs.map names
VERSION_LIBRARY := 1.0.0
SONAME  := liborcs.so.$(firstword $(subst ., ,$(VERSION_LIBRARY)))
SHARED  := $(patsubst %.c,$(BUILD)/%.o,$(wildcard library/*.c) parallel/comm_alone.c)
SHARED_LIBS := $(shell pkg-config --libs libcgraph zlib liblzma libzstd libcjson 2>/dev/null) $(METIS_LIBS) $(OTF2_LIBS) -lm
.PHONY: build/lib/liborcs.so
build/lib/liborcs.so: $(BUILD)/lib/$(SONAME)
	@mkdir -p $(@D)
	@ln -sf ../$(KIND)/lib/$(SONAME) build/lib/$(SONAME) && ln -sf $(SONAME) $@
$(BUILD)/lib/$(SONAME): $(SHARED) library/orcs.map $(BUILD)/liborcs.a
	@mkdir -p $(@D)
	$(Q:@=@echo "  LIB  $@" &&) $(CC) $(CFLAGS) $(LDFLAGS) -shared -Wl,-soname,$(SONAME) -Wl,--version-script=library/orcs.map -Wl,--as-needed -Wl,-z,defs \
		$(SHARED) $(BUILD)/liborcs.a -o $@ $(SHARED_LIBS)
	@ln -sf $(SONAME) $(@D)/liborcs.so

# the style and the script of orcs-report's page
PAGE_ASSETS := tools/report/report.css $(patsubst %,tools/report/report_%.js,table matrices controls)
.SECONDARY: $(BUILD)/tools/report/page_assets.c build/fuzz/tools/report/page_assets.c
%/tools/report/page_assets.c: scripts/page_assets.sh $(PAGE_ASSETS)
	@mkdir -p $(@D)
	$(Q:@=@echo "  GEN  $@" &&) scripts/page_assets.sh $(PAGE_ASSETS) >$@.new && mv $@.new $@
%/tools/report/page_assets.o: %/tools/report/page_assets.c
	$(Q:@=@echo "  CC   $<" &&) $(CC) $(CPPFLAGS) $(CFLAGS) -c $< -o $@

# other flags, other objects
FLAGS = $(CC) $(OPT) $(WARNINGS) $(METIS_CFLAGS) $(OTF2_CFLAGS)
.PHONY: flags
$(BUILD)/flags: flags
	@mkdir -p $(@D)
	@echo '$(FLAGS)' | cmp -s - $@ || echo '$(FLAGS)' >$@

$(BUILD)/fabric/partition.o build/fuzz/fabric/partition.o: CPPFLAGS += $(METIS_CFLAGS)
$(BUILD)/parallel/comm.o: CPPFLAGS += $(MPI_CFLAGS)
$(foreach part,otf2 otf2_definitions otf2_events,$(BUILD)/patterns/graphs/traces/$(part).o build/fuzz/patterns/graphs/traces/$(part).o) $(BUILD)/tests/fuzz/fuzz_otf2.o build/fuzz/tests/fuzz/fuzz_otf2.o: CPPFLAGS += $(OTF2_CFLAGS)
$(BUILD)/%.o: %.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(Q:@=@echo "  CC   $<" &&) $(CC) $(CPPFLAGS) $(CFLAGS) -c $< -o $@

# ---- tests
UNIT     := $(patsubst %.c,$(BUILD)/%,$(wildcard tests/unit/test_*.c))
REPLAY   := $(patsubst tests/fuzz/fuzz_%.c,$(BUILD)/tests/fuzz/replay_%,$(wildcard tests/fuzz/fuzz_*.c))
PROPERTY := $(BUILD)/tests/property/property
OPENSM_TABLES := $(BUILD)/tests/route/opensm_tables
TESTS    := $(UNIT) $(REPLAY) $(PROPERTY) $(OPENSM_TABLES) $(if $(MPI_LIBS),$(BUILD)/examples/halo)
HELPERS  := $(patsubst %.c,$(BUILD)/%.o,$(filter-out $(wildcard tests/unit/test_*.c),$(wildcard tests/unit/*.c)) parallel/comm_alone.c)

$(UNIT): $(BUILD)/%: $(BUILD)/%.o $(HELPERS) $(BUILD)/liborcs.a
	$(Q:@=@echo "  LINK $@" &&) $(CC) $(CFLAGS) $(LDFLAGS) $^ -o $@ $(LDLIBS) -lcmocka

# beside the targets: one process, and a machine with little memory
FUZZ_PARTS := tests/fuzz/small_machine.o parallel/comm_alone.o
FUZZ_LINK  := $(foreach name,array_create array_grow block_create block_grow,-Wl,--wrap=$(name))
%/replay_options %/fuzz_options: FUZZ_LINK += -Wl,--wrap=exit
$(REPLAY): $(BUILD)/tests/fuzz/replay_%: $(BUILD)/tests/fuzz/fuzz_%.o $(BUILD)/tests/fuzz/replay_main.o $(FUZZ_PARTS:%=$(BUILD)/%) $(BUILD)/liborcs.a
	$(Q:@=@echo "  LINK $@" &&) $(CC) $(CFLAGS) $(LDFLAGS) $(FUZZ_LINK) $^ -o $@ $(LDLIBS)

$(OPENSM_TABLES): %: %.o $(BUILD)/liborcs.a
	$(Q:@=@echo "  LINK $@" &&) $(CC) $(CFLAGS) $(LDFLAGS) $^ -o $@ $(LDLIBS)

$(BUILD)/examples/halo: examples/halo.c
	@mkdir -p $(@D)
	$(Q:@=@echo "  LINK $@" &&) $(CC) -std=c17 -O2 $(WARNINGS) $(MPI_CFLAGS) $< -o $@ $(MPI_LIBS) -lm

$(PROPERTY): $(patsubst %.c,$(BUILD)/%.o,$(wildcard tests/property/*.c))
	$(Q:@=@echo "  LINK $@" &&) $(CC) $(CFLAGS) $(LDFLAGS) $^ -o $@ $(LDLIBS)

## check: install what is missing, build, run all tests; SAN=1 likewise under the sanitizers
.PHONY: check check-built
check:
	@scripts/install.sh test
	@$(MAKE) --no-print-directory check-built
check-built: all $(TESTS)
	@$(SANITIZER_OPTIONS) tests/run.sh $(BUILD)

SANITIZER_OPTIONS := $(if $(SAN),LSAN_OPTIONS=suppressions=$(CURDIR)/tests/suppressions.txt:print_suppressions=0 \
	UBSAN_OPTIONS=print_stacktrace=1 ASAN_OPTIONS=detect_leaks=1:verify_asan_link_order=0)

## fuzz: run libFuzzer on each target of tests/fuzz for FUZZ_SECONDS (60), or on those of FUZZ, as FUZZ=topology; shapes on FUZZ_SHAPES fabrics (100000); needs clang
FUZZ_SECONDS ?= 60
FUZZ_SHAPES  ?= 100000
FUZZ         ?= $(sort $(patsubst tests/fuzz/fuzz_%.c,%,$(wildcard tests/fuzz/fuzz_*.c)))
FUZZ_CC      := clang -std=c17 -g -O1 -fsanitize=address,undefined -fno-sanitize-recover=all
FUZZERS      := $(FUZZ:%=build/fuzz/fuzz_%)
.PHONY: fuzz
fuzz: $(FUZZERS)
	@for name in $(FUZZ); do \
		mkdir -p build/fuzz/$$name.corpus build/fuzz/$$name.seeds; \
		cp tests/fuzz/corpus/*.$$name build/fuzz/$$name.seeds || exit 1; \
		case $$name in shape) limit=-runs=$(FUZZ_SHAPES) ;; *) limit=-max_total_time=$(FUZZ_SECONDS) ;; esac; \
		LSAN_OPTIONS=suppressions=$(CURDIR)/tests/suppressions.txt:print_suppressions=0 build/fuzz/fuzz_$$name $$limit \
			-max_len=4096 -timeout=60 -rss_limit_mb=2048 -dict=tests/fuzz/$$name.dict -artifact_prefix=build/fuzz/$$name- \
			build/fuzz/$$name.corpus build/fuzz/$$name.seeds || exit 1; \
	done
$(FUZZERS): build/fuzz/fuzz_%: build/fuzz/tests/fuzz/fuzz_%.o $(FUZZ_PARTS:%=build/fuzz/%) build/fuzz/liborcs.a
	$(Q:@=@echo "  LINK $@" &&) $(FUZZ_CC) -fsanitize=fuzzer $(FUZZ_LINK) $^ -o $@ $(LDLIBS)
build/fuzz/liborcs.a: $(LIBRARY:$(BUILD)/%=build/fuzz/%)
	@rm -f $@
	$(Q:@=@echo "  AR   $@" &&) $(AR) rcs $@ $^
build/fuzz/%.o: %.c
	@mkdir -p $(@D)
	$(Q:@=@echo "  CC   $<" &&) $(FUZZ_CC) -fsanitize=fuzzer-no-link -D__SANITIZE_ADDRESS__ $(CPPFLAGS) -c $< -o $@

## format: give all C files their format (clang-format)
.PHONY: format
format:
	clang-format -i $(filter-out ibsim-patches/%,$(shell find * -path build -prune -o -name '*.[ch]' -print))

# ---- what users call
## demo: install what is missing, build, and run the main job on a fabric that the real OpenSM routed
.PHONY: demo
demo:
	@scripts/install.sh build
	@$(MAKE) --no-print-directory all
	@scripts/demo.sh build build/demo $(NP)

## bench: time everything beside the machine's limits, with pictures, see doc/performance.md; QUICK=1 to see that it works
.PHONY: bench
bench: all
	@bench/run.sh $(if $(QUICK),--quick)

## install: programs, the library, man pages, scripts and completion to DESTDIR and PREFIX (/usr/local)
BINDIR := $(DESTDIR)$(PREFIX)/bin
MANDIR := $(DESTDIR)$(PREFIX)/share/man
DOCDIR := $(DESTDIR)$(PREFIX)/share/doc/orcs
COMPLETIONS := $(DESTDIR)$(PREFIX)/share/bash-completion/completions
# where orcs-compare finds them, from its own place
SCRIPTDIR := $(DESTDIR)$(PREFIX)/share/orcs/scripts
SCRIPTS := $(filter-out $(wildcard scripts/*_paper.sh scripts/inrflow_*) $(addprefix scripts/,install.sh dist.sh set_version.sh make_example.sh demo.sh paper_figures.sh latency_curves.sh page_assets.sh statements.sh shuffled_ports.awk),$(wildcard scripts/*.sh scripts/*.awk))
RUN_SCRIPTS := $(shell grep -l '^\#!' $(SCRIPTS))
LIBDIR  := $(DESTDIR)$(PREFIX)/lib/orcs
MANUALS := $(wildcard doc/*.1 doc/*.3 doc/*.5 doc/*.7)
# commands that the page of another describes
ALIASES := get_network_graph:orcs-import lftsdump2dot:orcs-import dot2osm:orcs-export
.PHONY: install install-library uninstall
install: install-library
install: all
	install -d $(BINDIR) $(MANDIR)/man1 $(MANDIR)/man5 $(MANDIR)/man7 $(COMPLETIONS) $(DOCDIR)/guide $(DOCDIR)/papers $(DOCDIR)/pictures $(SCRIPTDIR) $(LIBDIR)
	install -m 644 LICENSE README.md doc/orcs-*.md doc/performance.md doc/reliability.md doc/validation.md $(DOCDIR)
	install -m 644 doc/guide/*.md doc/guide/*.ipynb $(DOCDIR)/guide
	install -m 644 doc/papers/*.md $(DOCDIR)/papers
	install -m 644 doc/pictures/*.svg doc/pictures/*.png $(DOCDIR)/pictures
	install -m 755 $(PROGRAMS:%=$(BUILD)/bin/%) $(BINDIR)
	install -m 644 $(filter %.1,$(MANUALS)) $(MANDIR)/man1
	install -m 644 $(filter %.5,$(MANUALS)) $(MANDIR)/man5
	install -m 644 $(filter %.7,$(MANUALS)) $(MANDIR)/man7
	for alias in $(ALIASES); do ln -sf $${alias#*:}.1 $(MANDIR)/man1/$${alias%:*}.1 || exit 1; done
	install -m 644 build/lib/libumad_siblings.so $(RECORDERS) $(LIBDIR)
	install -m 644 completions/orcs $(COMPLETIONS)/orcs
	install -m 755 $(RUN_SCRIPTS) $(SCRIPTDIR)
	install -m 644 $(filter-out $(RUN_SCRIPTS),$(SCRIPTS)) $(SCRIPTDIR)
	for tool in $(TOOLS); do ln -sf orcs $(COMPLETIONS)/$$tool || exit 1; done

# the library, its header, its manual and its examples
INSTALL_LIB ?= lib
LIBRARYDIR := $(DESTDIR)$(PREFIX)/$(INSTALL_LIB)
INCLUDEDIR := $(DESTDIR)$(PREFIX)/include/orcs
install-library: build/lib/liborcs.so
	install -d $(LIBRARYDIR)/pkgconfig $(INCLUDEDIR) $(MANDIR)/man3 $(DOCDIR)/examples
	install -m 755 $(BUILD)/lib/$(SONAME) $(LIBRARYDIR)/liborcs.so.$(VERSION_LIBRARY)
	ln -sf liborcs.so.$(VERSION_LIBRARY) $(LIBRARYDIR)/$(SONAME)
	ln -sf $(SONAME) $(LIBRARYDIR)/liborcs.so
	install -m 644 include/orcs/orcs.h $(INCLUDEDIR)
	sed 's,@PREFIX@,$(PREFIX),; s,@INSTALL_LIB@,$(INSTALL_LIB),; s,@VERSION@,$(VERSION),' library/orcs.pc.in >$(LIBRARYDIR)/pkgconfig/orcs.pc
	install -m 644 $(filter %.3,$(MANUALS)) $(MANDIR)/man3
	install -m 644 $(wildcard examples/library/*.c) $(DOCDIR)/examples

## wheel: the Python package, as build/orcs-VERSION-py3-none-any.whl
.PHONY: wheel
wheel:
	@$(PYTHON) -c 'import setuptools, wheel, pip' || { echo "make wheel: $(PYTHON) lacks pip, setuptools or wheel (Debian: python3-pip, python3-wheel; PYTHON=/usr/bin/python3)" >&2; exit 1; }
	@rm -rf build/wheel && mkdir -p build/wheel/base && cp -r python build/wheel && cp base/version.h build/wheel/base
	@cd build/wheel/python && $(PYTHON) -m pip wheel -q --no-deps --no-build-isolation --no-index -w ../.. .

## dist: the source as build/orcs-VERSION.tar.gz, the same bytes for the same files; it builds and passes its tests without git
.PHONY: dist
DIST := orcs-$(VERSION)
dist:
	@scripts/dist.sh $(DIST) build/$(DIST).tar.gz

## uninstall: remove what install put there
uninstall:
	rm -f $(PROGRAMS:%=$(BINDIR)/%) $(PROGRAMS:%=$(COMPLETIONS)/%)
	rm -rf $(DOCDIR) $(DESTDIR)$(PREFIX)/share/orcs $(LIBDIR) $(INCLUDEDIR)
	rm -f $(LIBRARYDIR)/liborcs.so $(LIBRARYDIR)/$(SONAME) $(LIBRARYDIR)/liborcs.so.$(VERSION_LIBRARY) $(LIBRARYDIR)/pkgconfig/orcs.pc
	rm -f $(foreach page,$(MANUALS),$(MANDIR)/man$(subst .,,$(suffix $(page)))/$(notdir $(page)))
	rm -f $(foreach alias,$(ALIASES),$(MANDIR)/man1/$(firstword $(subst :, ,$(alias))).1)

## clean: remove build/
.PHONY: clean
clean:
	rm -rf build

## help: this list
.PHONY: help
help:
	@sed -n 's/^## \([a-z]*\): /\1\t/p' $(firstword $(MAKEFILE_LIST)) | while IFS="$$(printf '\t')" read -r name text; do printf '  make %-10s %s\n' "$$name" "$$text"; done

-include $(OBJECTS:.o=.d) $(LIBRARY:.o=.d) $(SHARED:.o=.d) $(TOOLS:%=$(BUILD)/tools/%.d) $(wildcard $(BUILD)/tests/*/*.d build/fuzz/*/*.d build/fuzz/tests/*/*.d)
