/*
 * What orcs --engine flow has run, in SimGrid's fluid model: reads a routed fabric as orcs-route writes it, and the messages that
 * orcs --flows has written; prints when each ends. All channels are links of their own that are shared max-min fairly, without latency
 * and without what SimGrid knows of TCP. With --sync data a message begins when its sender has what it was sent in the levels before, with
 * level when all messages of these have ended, with none at once.
 */
#include <simgrid/s4u.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <sys/resource.h>
#include <unordered_map>
#include <vector>
#include <xbt/log.h>

namespace s4u = simgrid::s4u;

[[noreturn]] static void die(const std::string &text, int status = 1)
{
	std::cerr << "flow_simgrid: " << text << "\n";
	exit(status);
}

struct Message {
	std::string number, from, to;
	int level, sender, receiver;
	std::uint64_t bytes;
	double orcs_end, end = NAN; /* seconds */
	bool begins = true;         /* at once */
	std::vector<size_t> gates;  /* that wait for its end */
	s4u::CommPtr comm;
};

/* Those of the file of orcs --flows that were delivered; its columns are known by their names. */
static std::vector<Message> read_messages(const char *name)
{
	std::ifstream file(name);
	std::vector<Message> messages;
	std::map<std::string, size_t> column;
	std::string line, word;
	std::vector<std::string> words;
	while (std::getline(file, line)) {
		words.clear();
		for (std::istringstream text(line); std::getline(text, word, ',');)
			words.push_back(word);
		if (column.empty()) {
			for (size_t i = 0; i < words.size(); i++)
				column[words[i]] = i;
			continue;
		}
		auto value = [&](const char *key) {
			auto found = column.find(key);
			if (found == column.end() || found->second >= words.size())
				die(std::string(name) + ": no value of '" + key + "'");
			return words[found->second];
		};
		if (value("delivered") != "1")
			die(std::string(name) + ": message " + value("message") + " was not delivered");
		Message message;
		message.number = value("message");
		message.from = value("from");
		message.to = value("to");
		message.level = std::stoi(value("level"));
		message.sender = std::stoi(value("sender"));
		message.receiver = std::stoi(value("receiver"));
		message.bytes = std::stoull(value("bytes"));
		message.orcs_end = std::stod(value("end"));
		messages.push_back(message);
	}
	if (messages.empty())
		die(std::string(name) + ": no messages in it");
	return messages;
}

/* What messages of one level wait for, those of one sender or all. */
struct Gate {
	size_t waits = 0; /* for so many ends still */
	std::vector<size_t> messages;
};

struct Channel {
	int to;
	double capacity; /* bytes/s */
	s4u::Link *link;
};

/* The graph, and its forwarding sets as far as messages go there. */
struct Fabric {
	std::unordered_map<std::string, int> node, destination; /* their numbers */
	std::vector<Channel> channels;
	std::vector<std::vector<int>> next; /* of each node: its channel to a destination; empty: none */
	std::vector<int> other;             /* of each node: its channel to all others; -1: none */

	int number_node(const std::string &name)
	{
		auto [place, is_new] = node.emplace(name, static_cast<int>(node.size()));
		if (is_new) {
			next.emplace_back();
			other.push_back(-1);
		}
		return place->second;
	}
};

/* The value of an attribute; empty without. */
static std::string attribute(const std::string &line, const std::string &name)
{
	size_t from = line.find(name + "=\"");
	if (from == std::string::npos)
		return "";
	from += name.size() + 2;
	return line.substr(from, line.find('"', from) - from);
}

/* A line "A" -> "B" [comment="DESTINATION,...", speed="GB/S"]; */
static void add_channel(Fabric &fabric, const std::string &line, double capacity)
{
	size_t quote[4], at = 0;
	for (size_t &q : quote) {
		q = line.find('"', at);
		if (q == std::string::npos)
			die("this line of the fabric is not as orcs-route writes it: " + line.substr(0, 80));
		at = q + 1;
	}
	int from = fabric.number_node(line.substr(quote[0] + 1, quote[1] - quote[0] - 1));
	int to = fabric.number_node(line.substr(quote[2] + 1, quote[3] - quote[2] - 1));
	int channel = static_cast<int>(fabric.channels.size());
	std::string speed = attribute(line, "speed"), set = attribute(line, "comment");
	fabric.channels.push_back({to, (speed.empty() ? capacity : 1e9 * std::stod(speed)) / 8, nullptr});
	for (size_t i = 0, end; i < set.size(); i = end + 1) {
		end = std::min(set.find(',', i), set.size());
		if (end - i == 1 && set[i] == '*') {
			fabric.other[from] = channel;
			continue;
		}
		auto found = fabric.destination.find(set.substr(i, end - i));
		if (found == fabric.destination.end())
			continue;
		fabric.next[from].resize(fabric.destination.size(), -1);
		fabric.next[from][found->second] = channel;
	}
}

static Fabric read_fabric(const char *name, const std::vector<Message> &messages, double capacity)
{
	Fabric fabric;
	for (const Message &message : messages)
		fabric.destination.emplace(message.to, static_cast<int>(fabric.destination.size()));
	std::ifstream file(name);
	for (std::string line; std::getline(file, line);)
		if (line.find("\" -> \"") != std::string::npos)
			add_channel(fabric, line, capacity);
	if (fabric.channels.empty())
		die(std::string(name) + ": no channels in it");
	return fabric;
}

/* The links on the way, which are made as they are met. */
static std::vector<s4u::LinkInRoute> find_route(Fabric &fabric, const Message &message, s4u::NetZone *zone)
{
	std::vector<s4u::LinkInRoute> route;
	int node = fabric.node.at(message.from), last = fabric.node.at(message.to), destination = fabric.destination.at(message.to);
	while (node != last) {
		int c = fabric.next[node].empty() ? -1 : fabric.next[node][destination];
		c = c < 0 ? fabric.other[node] : c;
		if (c < 0 || route.size() > fabric.next.size())
			die("no route from " + message.from + " to " + message.to);
		Channel &channel = fabric.channels[c];
		if (!channel.link)
			channel.link = zone->create_link("c" + std::to_string(c), channel.capacity)->set_latency(0);
		route.emplace_back(channel.link);
		node = channel.to;
	}
	if (route.empty())
		die("a message from " + message.from + " to itself");
	return route;
}

/* Hosts, links and routes of all messages, and what is to be sent. */
static void build(std::vector<Message> &messages, Fabric &fabric)
{
	s4u::NetZone *zone = s4u::create_full_zone("fabric");
	std::map<std::string, s4u::Host *> host;
	std::map<std::pair<s4u::Host *, s4u::Host *>, bool> routed;
	for (const Message &message : messages)
		for (const std::string &name : {message.from, message.to})
			if (!host.count(name))
				host[name] = zone->create_host(name, 1);
	for (Message &message : messages) {
		s4u::Host *from = host[message.from], *to = host[message.to];
		if (!routed[{from, to}])
			zone->add_route(
				from->get_netpoint(), to->get_netpoint(), nullptr, nullptr, find_route(fabric, message, zone), false);
		routed[{from, to}] = true;
		message.comm = s4u::Comm::sendto_init(from, to);
		message.comm->set_payload_size(message.bytes);
		message.comm->set_data(&message);
	}
	zone->seal();
}

/* Each message waits for all that its sender is sent in levels before, or for all of the nearest level before that has any. */
static std::vector<Gate> find_gates(std::vector<Message> &messages, const std::string &sync)
{
	std::map<int, std::map<int, std::vector<size_t>>> ends, begins; /* by task, or 0, and level */
	std::vector<Gate> gates;
	bool data = sync == "data";
	for (size_t i = 0; sync != "none" && i < messages.size(); i++) {
		ends[data ? messages[i].receiver : 0][messages[i].level].push_back(i);
		begins[data ? messages[i].sender : 0][messages[i].level].push_back(i);
	}
	for (auto &[task, levels] : begins)
		for (auto &[level, those] : levels) {
			Gate gate{0, those};
			auto last = ends[task].lower_bound(level), first = ends[task].begin();
			for (auto before = data || first == last ? first : std::prev(last); before != last; before++)
				for (size_t i : before->second) {
					messages[i].gates.push_back(gates.size());
					gate.waits++;
				}
			for (size_t i : those)
				messages[i].begins = !gate.waits;
			gates.push_back(gate);
		}
	return gates;
}

static double user_seconds()
{
	struct rusage used;
	getrusage(RUSAGE_SELF, &used);
	return static_cast<double>(used.ru_utime.tv_sec) + 1e-6 * static_cast<double>(used.ru_utime.tv_usec);
}

int main(int argc, char **argv)
{
	xbt_log_control_set("xbt_cfg.thres:warning");
	s4u::Engine engine(&argc, argv);
	for (const char *setting : {"network/model:CM02", "network/TCP-gamma:0", "network/bandwidth-factor:1", "network/latency-factor:1",
		     "network/weight-S:0", "network/crosstraffic:0", "maxmin/precision:1e-12", "surf/precision:1e-13"})
		s4u::Engine::set_config(setting);
	if (argc != 5)
		die("arguments: FABRIC.dot FLOWS.csv BITS/S none|data|level [--cfg=OF-SIMGRID ...]", 2);
	std::vector<Message> messages = read_messages(argv[2]);
	Fabric fabric = read_fabric(argv[1], messages, std::stod(argv[3]));
	build(messages, fabric);
	std::vector<Gate> gates = find_gates(messages, argv[4]);

	s4u::Comm::on_completion_cb([&](const auto &comm) {
		Message *message = comm.template get_data<Message>();
		message->end = s4u::Engine::get_clock();
		for (size_t g : message->gates)
			if (!--gates[g].waits)
				for (size_t i : gates[g].messages)
					messages[i].comm->vetoable_start();
	});
	double before = user_seconds();
	for (Message &message : messages)
		if (message.begins)
			message.comm->vetoable_start();
	engine.run();
	double seconds = user_seconds() - before, last = 0, difference = 0;

	printf("message,end\n");
	for (const Message &message : messages) {
		printf("%s,%.15g\n", message.number.c_str(), message.end);
		if (std::isnan(message.end))
			die("message " + message.number + " has not ended");
		last = std::max(last, message.end);
		difference = std::max(difference, std::abs(message.end - message.orcs_end) / message.end);
	}
	fprintf(stderr, "{\"messages\": %zu, \"makespan\": %.15g, \"user_s\": %.6f, \"difference\": %.3g}\n", messages.size(), last,
		seconds, difference);
	return 0;
}
