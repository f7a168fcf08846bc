"""The routes that the tables of a graph give, as source routes: list_routes.py GRAPH. For graphs without parallel cables."""
import sys

from check_routes import Graph

graph = Graph(sys.argv[1])
for source in graph.hosts:
    for destination in graph.hosts:
        route = graph.route(source, destination) if source != destination else None
        if route:
            print("7", ",".join([source] + [graph.head[channel] for channel in route]))
