/* umad_siblings.c - a library to preload before libumad2sim.so of ibsim: gives a client both of its SMP classes.
 *
 * Subnet management packets have two management classes, LID routed (0x01) and directed route (0x81). A client such as ibdiagnet
 * registers one of them and sends both. The kernel's answer to a packet goes to the agent that sent it; libumad2sim.so looks for an
 * agent of the answer's class instead, finds none, and hands the client an agent that it never registered: the client's receiver
 * thread then follows a null pointer. So this library registers the sibling class as well, for every client that registers one of
 * the two, and makes the sibling's answers those of the agent that the client knows.
 *
 * It stands between the client and libibumad, whose public interface it declares itself, so that building it takes no header
 * of that library: cc -shared -fPIC -o libumad_siblings.so umad_siblings.c */

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { SMP_LID_ROUTED = 0x01, SMP_DIRECTED_ROUTE = 0x81, NO_AGENT = -1, MOST_AGENTS = 64 };

/* An agent of one of the two classes that a client registered, and the sibling that this library registered for it. */
struct agent {
	int port; /* as umad_open_port returned it */
	int class;
	int id;
	int sibling; /* NO_AGENT: the client registered that class itself */
};

static struct agent agents[MOST_AGENTS];
static int agent_count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

int umad_register(int port, int class, int version, uint8_t rmpp, long *methods);
int umad_unregister(int port, int id);
int umad_recv(int port, void *packet, int *length, int milliseconds);
int umad_close_port(int port);

/* The function of that name in libibumad. Ends the process where there is none: this library is for clients of libibumad only. */
static void *original(const char *name)
{
	void *function = dlsym(RTLD_NEXT, name);

	if (!function) {
		fprintf(stderr, "libumad_siblings.so: there is no %s in this program's libibumad\n", name);
		abort();
	}
	return function;
}

static int original_register(int port, int class, int version, uint8_t rmpp, long *methods)
{
	int (*function)(int, int, int, uint8_t, long *) = original("umad_register");

	return function(port, class, version, rmpp, methods);
}

static int original_unregister(int port, int id)
{
	int (*function)(int, int) = original("umad_unregister");

	return function(port, id);
}

static struct agent *agent_of_class(int port, int class)
{
	for (int i = 0; i < agent_count; i++) {
		if (agents[i].port == port && agents[i].class == class)
			return &agents[i];
	}
	return NULL;
}

static void forget(struct agent *agent)
{
	*agent = agents[--agent_count];
}

/* As the function of libibumad: registers a class, returns the agent's id or a negative value. */
int umad_register(int port, int class, int version, uint8_t rmpp, long *methods)
{
	int sibling_class = class ^ SMP_LID_ROUTED ^ SMP_DIRECTED_ROUTE;

	if (class != SMP_LID_ROUTED && class != SMP_DIRECTED_ROUTE)
		return original_register(port, class, version, rmpp, methods);
	pthread_mutex_lock(&lock);
	struct agent *other = agent_of_class(port, sibling_class);

	/* the client wants the second class as well: it takes the place of the sibling that was registered for the first */
	if (other && other->sibling != NO_AGENT) {
		original_unregister(port, other->sibling);
		other->sibling = NO_AGENT;
	}
	int id = original_register(port, class, version, rmpp, methods);

	if (id >= 0 && agent_count < MOST_AGENTS) {
		int sibling = other ? NO_AGENT : original_register(port, sibling_class, version, rmpp, NULL);

		agents[agent_count++] = (struct agent){port, class, id, sibling < 0 ? NO_AGENT : sibling};
	}
	pthread_mutex_unlock(&lock);
	return id;
}

/* As the function of libibumad: gives up an agent, here with its sibling; returns 0 or a negative value. */
int umad_unregister(int port, int id)
{
	pthread_mutex_lock(&lock);
	for (int i = 0; i < agent_count; i++) {
		if (agents[i].port != port || agents[i].id != id)
			continue;
		if (agents[i].sibling != NO_AGENT)
			original_unregister(port, agents[i].sibling);
		forget(&agents[i]);
		break;
	}
	pthread_mutex_unlock(&lock);
	return original_unregister(port, id);
}

/* As the function of libibumad: closes a port, and with it goes every agent; returns 0 or a negative value. */
int umad_close_port(int port)
{
	int (*function)(int) = original("umad_close_port");

	pthread_mutex_lock(&lock);
	for (int i = agent_count; i-- > 0;) {
		if (agents[i].port == port)
			forget(&agents[i]);
	}
	pthread_mutex_unlock(&lock);
	return function(port);
}

/* The agent that the client knows in place of a sibling. */
static int known_agent(int port, int id)
{
	pthread_mutex_lock(&lock);
	for (int i = 0; i < agent_count; i++) {
		if (agents[i].port == port && agents[i].sibling == id) {
			id = agents[i].id;
			break;
		}
	}
	pthread_mutex_unlock(&lock);
	return id;
}

/* As the function of libibumad: waits for a packet; returns its agent's id or a negative value. That id stands also at the head of
 * the packet. */
int umad_recv(int port, void *packet, int *length, int milliseconds)
{
	int (*function)(int, void *, int *, int) = original("umad_recv");
	int id = function(port, packet, length, milliseconds);

	if (id >= 0) {
		id = known_agent(port, id);
		*(uint32_t *)packet = (uint32_t)id;
	}
	return id;
}
