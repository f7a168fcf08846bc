#ifndef ORCS_VERSION_H
#define ORCS_VERSION_H

#define ORCS_VERSION "0.1.0"

#endif
