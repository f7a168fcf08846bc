/* The style and the script of the page, report.css and report_*.js, which the Makefile turns into C. */
#ifndef TOOLS_REPORT_PAGE_ASSETS_H
#define TOOLS_REPORT_PAGE_ASSETS_H

extern const char report_style[], report_script[];

/* Their hashes, as the page's policy names them: "sha256-...". */
extern const char report_style_hash[], report_script_hash[];

#endif
