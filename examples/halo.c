/*
 * A halo exchange with an allreduce: Jacobi iterations for a temperature on a square grid. The processes form a grid of their own; in each
 * iteration a process exchanges the edges of its part with four neighbours, the columns by a derived datatype, and all of them add up the
 * change.
 *
 *     mpicc -O2 halo.c -o halo -lm
 *     orcs-record -o halo.record -- mpirun -np 4 ./halo 256 20
 *
 * The arguments are the points of one side of a process's part, and the iterations.
 */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { LEFT, RIGHT, DOWN, UP, SIDES };

struct part {
	int points;           /* on a side; the array has one more on each side, the halo */
	double *now, *next;   /* [points + 2][points + 2] */
	MPI_Comm grid;        /* the processes */
	MPI_Datatype column;  /* points doubles, one in each row */
	int neighbour[SIDES]; /* MPI_PROC_NULL beyond the border of the grid */
};

static double *at(const struct part *p, double *field, int row, int column)
{
	return field + (size_t)row * (size_t)(p->points + 2) + column;
}

/* Makes a grid of all processes that is as square as possible. */
static void arrange(struct part *p)
{
	int processes, dimensions[2] = {0, 0}, periods[2] = {0, 0};
	MPI_Comm_size(MPI_COMM_WORLD, &processes);
	MPI_Dims_create(processes, 2, dimensions);
	MPI_Cart_create(MPI_COMM_WORLD, 2, dimensions, periods, 0, &p->grid);
	MPI_Cart_shift(p->grid, 0, 1, &p->neighbour[DOWN], &p->neighbour[UP]);
	MPI_Cart_shift(p->grid, 1, 1, &p->neighbour[LEFT], &p->neighbour[RIGHT]);
	MPI_Type_vector(p->points, 1, p->points + 2, MPI_DOUBLE, &p->column);
	MPI_Type_commit(&p->column);
}

/* Posts the receives into the halo and the sends of the edges, and waits for all. */
static void exchange(struct part *p)
{
	int n = p->points, count = 0;
	MPI_Request request[2 * SIDES];
	struct {
		double *edge, *halo;
		int count;
		MPI_Datatype type;
	} side[SIDES] = {{at(p, p->now, 1, 1), at(p, p->now, 1, 0), 1, p->column},
		{at(p, p->now, 1, n), at(p, p->now, 1, n + 1), 1, p->column}, {at(p, p->now, 1, 1), at(p, p->now, 0, 1), n, MPI_DOUBLE},
		{at(p, p->now, n, 1), at(p, p->now, n + 1, 1), n, MPI_DOUBLE}};
	for (int s = 0; s < SIDES; s++)
		MPI_Irecv(side[s].halo, side[s].count, side[s].type, p->neighbour[s], 0, p->grid, &request[count++]);
	for (int s = 0; s < SIDES; s++)
		MPI_Isend(side[s].edge, side[s].count, side[s].type, p->neighbour[s], 0, p->grid, &request[count++]);
	MPI_Waitall(count, request, MPI_STATUSES_IGNORE);
}

/* Computes the next temperatures. Returns the sum of the squared changes. */
static double relax(struct part *p)
{
	double change = 0;
	for (int row = 1; row <= p->points; row++)
		for (int column = 1; column <= p->points; column++) {
			const double *old = at(p, p->now, row, column);
			double new = 0.25 * (old[-1] + old[1] + old[-(p->points + 2)] + old[p->points + 2]);
			*at(p, p->next, row, column) = new;
			change += (new - *old) * (new - *old);
		}
	double *swap = p->now;
	p->now = p->next;
	p->next = swap;
	return change;
}

int main(int argc, char **argv)
{
	MPI_Init(&argc, &argv);
	struct part part = {.points = argc > 1 ? atoi(argv[1]) : 256};
	int iterations = argc > 2 ? atoi(argv[2]) : 20, rank;
	size_t cells = (size_t)(part.points + 2) * (size_t)(part.points + 2);
	part.now = calloc(cells, sizeof *part.now);
	part.next = calloc(cells, sizeof *part.next);
	arrange(&part);
	MPI_Comm_rank(part.grid, &rank);
	for (int i = 1; rank == 0 && i <= part.points; i++)
		*at(&part, part.now, i, i) = 1;
	double change = 0;
	for (int i = 0; i < iterations; i++) {
		exchange(&part);
		change = relax(&part);
		MPI_Allreduce(MPI_IN_PLACE, &change, 1, MPI_DOUBLE, MPI_SUM, part.grid);
	}
	if (rank == 0)
		printf("change in the last of %d iterations: %g\n", iterations, sqrt(change));
	MPI_Finalize();
	return 0;
}
