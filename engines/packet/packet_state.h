/* What the packet engine keeps of packets, channels, queue pairs and hosts. */
#ifndef ENGINES_PACKET_PACKET_STATE_H
#define ENGINES_PACKET_PACKET_STATE_H

#include "engines/packet/packet.h"

enum { RATE_BITS = 20, SPEEDS_MOST = (1 << 15) - 1 };

/* Larger messages use rendezvous: a request to send (PACKET_REQUEST) and its reply, clear to send (PACKET_REPLY). */
enum packet_kind { PACKET_DATA, PACKET_REQUEST, PACKET_REPLY };

/* A packet in transit, on one cache line. */
struct packet {
	struct packet_head head;
	uint64_t created, injected; /* picoseconds; when it left its source */
	uint64_t zero_load;         /* picoseconds taken so far without any waiting, except for its own length */
	uint32_t size : 29;         /* bytes */
	uint32_t kind : 2;          /* enum packet_kind */
	uint32_t marked : 1;        /* by congestion control */
	uint32_t message;           /* operation; unused in open loops */
	uint32_t next;              /* link in its queue, or in the list of free packets */
	uint32_t request;           /* its first request; NONE */
};

/* A packet that waits for an output. */
struct packet_request {
	uint32_t packet, queue;  /* the packet, and its queue */
	uint32_t output;         /* channel */
	uint32_t next, previous; /* links in the output's list; next also links free requests */
	uint32_t sibling;        /* the next request of the same packet */
	uint16_t size;           /* bytes of the room that the packet takes, see request_size() */
	uint16_t lanes, rank, bubble;
};

/* The credits of a lane, at the tail of its channel. */
struct credit {
	uint64_t time;   /* time of the first refund */
	uint32_t bytes;  /* free bytes in the buffer */
	uint32_t refund; /* bytes of the first refund; 0: none */
	uint32_t last;   /* the last of the later refunds, in a circular list; NONE */
	uint32_t tail;   /* node */
};

/* A channel at its tail, on one cache line. */
struct packet_output {
	uint64_t busy;        /* time until which it sends */
	uint64_t wake;        /* time at which it next examines its requests; NEVER */
	struct credit credit; /* of its first lane */
	uint32_t head;        /* node */
	uint32_t first, last; /* requests */
	uint32_t turn;        /* the queue served last; the port, for ARBITER_ROUND_ROBIN */
	uint32_t next_look;   /* next marked output of its node */
	uint16_t marked;      /* marked for examination now: the lowest rank of a request, plus 1; 0: not marked */
	uint16_t speed : 15;  /* see packet_speed() */
	uint16_t waited : 1;  /* requests have waited for it, as in waited of the engine */
};

/* How fast a channel is. */
struct channel_speed {
	uint64_t rate;    /* picoseconds per byte, times 2^RATE_BITS */
	uint64_t latency; /* picoseconds */
};

/* A packet to be routed. */
struct routee {
	uint32_t queue, packet;
};

/* A packet that has requested one of its candidates, which was free. */
struct load_trial {
	struct routee routee;
	uint32_t request, channel;
};

/* Space that will become free. */
struct refund {
	uint64_t time;
	uint32_t bytes, next;
};

/* The queue of a lane, at the head of its channel. */
struct queue {
	uint64_t busy;        /* time until which the tail of a packet is leaving it */
	uint32_t first, last; /* packets; NONE */
};

/* A message of an open loop that waits in a queue pair. */
struct queued_message {
	uint64_t created, bytes; /* picoseconds; of the whole message */
	uint32_t number;         /* of its host */
	uint32_t receiver;       /* host index */
	uint32_t next;           /* the message after it in its pair, or in the list of free ones */
	uint8_t level;           /* see struct packet_head */
};

/* A queue pair: the messages that a host sends to one receiver, in order. Messages are operations of a task graph, or queued messages. */
struct queue_pair {
	uint64_t sent;           /* bytes of the current message sent so far */
	uint32_t host, receiver; /* host indices */
	uint32_t message;        /* NONE: none */
	uint32_t last;           /* messages that wait to be sent: the last one, in a circular list; NONE */
	uint32_t next;           /* the pair after it in its send queue, or among the pairs of a flow that rests */
	uint32_t ticket;         /* of the pairs of a host that join simultaneously, in open loops, those with lower ones come first */
	uint32_t burst;          /* packets sent in its turn so far */
	uint32_t place;          /* its send queue, while it has messages */
	uint32_t bytes;          /* of the message in its last packet */
	uint8_t priority, level; /* class and service level of its messages */
	bool more;               /* the current message has more packets */
};

/* The queue pairs of a host that send by one port and lane. */
struct send_queue {
	uint32_t pair;   /* the one whose turn it is; NONE */
	uint32_t last;   /* those that wait for their turn: the last one, in a circular list; NONE */
	bool idle;       /* none has anything to send */
	bool rests;      /* those that wait are of one flow, which rests: an event will tell when it has rested */
	uint16_t levels; /* of flows of a level: the levels of those that wait, a bit each */
};

/* A send queue that makes its next packet; or before that, the pair that joins it, in open loops. */
struct packet_due {
	uint32_t place, ticket, pair; /* ticket and pair: NONE for the packet */
};

/* A packet that a host makes. */
struct packet_part {
	uint64_t created, left;     /* picoseconds; bytes of its message that have not been sent */
	uint32_t receiver, message; /* host index; operation, or NONE */
	enum packet_kind kind;
	uint8_t level; /* see struct packet_head */
	bool first;    /* of its message */
};

/* A host. */
struct packet_source {
	uint64_t created;        /* creation time of the current message of an open loop, or of the next */
	uint64_t interface_free; /* time until which its memory is being read */
	uint64_t delivery_free;
	uint32_t number; /* packets sent so far */
	uint32_t ticket; /* of the next of its queue pairs */
	/* of open loops: the current message */
	uint32_t messages; /* messages sent so far */
	uint64_t bytes;    /* of the current message of an open loop */
	uint64_t sent;     /* bytes sent so far */
	uint32_t rank;     /* its sender; NONE: the host does not send */
	uint32_t receiver; /* host index */
	bool more;         /* it has more packets */
	uint8_t level;     /* service level; SERVICE_LEVEL_OF_PAIR */
};

/* The number of values of a batch, all of one type. */
enum { BATCH_NUMBERS = sizeof(struct packet_batch) / sizeof(uint64_t) };

/* Delays of a channel in picoseconds, see struct channel_delays. */
struct packet_delay {
	uint64_t routing, arbitration, credit;
};

#endif
